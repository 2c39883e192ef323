/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.launcher.io.UsageException;

class DurationOptionTest
{
    @ParameterizedTest
    @CsvSource({
        "250ms, 250000000", "3, 3000000000", "3s, 3000000000", "0.5s, 500000000", "2m, 120000000000",
        "1min, 60000000000", "1.5h, 5400000000000", "2 S, 2000000000"})
    void shouldParseDurations(final String text, final long ns)
    {
        assertEquals(ns, DurationOption.parse("--timeout", text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0s", "-1s", "1d", "s", "1s2", "99999999999h", "1e3"})
    void shouldRejectInvalidDurations(final String text)
    {
        assertThrows(UsageException.class, () -> DurationOption.parse("--timeout", text));
    }
}
