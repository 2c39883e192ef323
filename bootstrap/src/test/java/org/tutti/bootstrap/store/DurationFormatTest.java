/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationFormatTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 0", "250ms, 250000000", "3, 3000000000", "3s, 3000000000", "0.5 s, 500000000", "1.5m, 90000000000",
        "1min, 60000000000", "2 H, 7200000000000", "9999999h, 9223372036854775807",
        "99999999999999999999999, 9223372036854775807", "9223372036.854775807s, 9223372036854775807",
        "9223372036.854775806s, 9223372036854775806", "9223372036.854775808s, 9223372036854775807",
        "0.333333333333333333333333h, 1199999999999", "0.0000019ms, 1", "1.10ms, 1100000"})
    void shouldParseNumbersWithUnitsAndSaturate(final String text, final long ns)
    {
        assertEquals(ns, DurationFormat.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"''", "abc", "-1s", "1d", "s", "1s2", ".5s", "1e3", "5 m s", "٣s"})
    void shouldRejectInvalidDurations(final String text)
    {
        assertEquals(-1, DurationFormat.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms", "1999999, 1 ms", "999999999, 999 ms", "1000000000, 1 s", "1500000000, 1.5 s", "1050000000, 1.05 s",
        "1001000000, 1.001 s", "10999999999, 10.999 s", "60000000000, 60 s", "86400000000000, 86400 s"})
    void shouldFormatSecondsOrMillisecondsWithoutTrailingZeros(final long ns, final String text)
    {
        assertEquals(text, DurationFormat.format(ns));
    }

    @ParameterizedTest
    @CsvSource({"0, 0.0 s", "1019000000, 1.0 s", "12345678901, 12.3 s"})
    void shouldFormatMeasuredDurationsInTenthsOfSecond(final long ns, final String text)
    {
        assertEquals(text, DurationFormat.formatMeasured(ns));
    }
}
