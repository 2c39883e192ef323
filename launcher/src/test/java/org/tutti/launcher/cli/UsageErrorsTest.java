/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class UsageErrorsTest
{
    @Test
    void shouldLowercaseFirstLineUnlessItStartsWithName()
    {
        assertEquals("no such host", UsageErrors.lineOf("No such host\nand more"));
        assertEquals("TUTTI_ALGORITHM=\"x\": no range", UsageErrors.lineOf("TUTTI_ALGORITHM=\"x\": no range"));
        assertEquals("invalid command line", UsageErrors.lineOf(null));
    }
}
