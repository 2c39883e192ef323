/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

import org.junit.jupiter.api.Test;

class CoresTest
{
    @Test
    void shouldParseKernelsListOfCores()
    {
        assertEquals(List.of(0, 1, 2, 3, 8, 10, 11), Cores.parse("0-3,8,10-11"));
        assertEquals(List.of(5), Cores.parse("5"));
    }
}
