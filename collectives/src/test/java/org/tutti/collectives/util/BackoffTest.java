/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BackoffTest
{
    @Test
    void shouldPreferTheLaunchersOversubscriptionFlag()
    {
        assertTrue(Backoff.isOversubscribed("1", 2, 2));
        assertFalse(Backoff.isOversubscribed("0", 2, 1));
        assertTrue(Backoff.isOversubscribed("", 2, 1));
        assertFalse(Backoff.isOversubscribed("", 2, 2));
    }
}
