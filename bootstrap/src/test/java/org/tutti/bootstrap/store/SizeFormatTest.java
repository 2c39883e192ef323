/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizeFormatTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 0", "512, 512", "4k, 4096", "4K, 4096", "64M, 67108864", "1G, 1073741824", "1g, 1073741824",
        "2T, 2199023255552", "8B, 8", "64MB, 67108864", "64MiB, 67108864", "' 3k ', 3072", "3 k, 3072",
        "99999999999999999999, 9223372036854775807", "9999999999T, 9223372036854775807"})
    void shouldParseSizes(final String text, final long expected)
    {
        assertEquals(expected, SizeFormat.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "M", "-1", "+1", "4x", "4kk", "1.5G", "4k8", "0x10", "k4", "4 4"})
    void shouldRejectInvalidSizes(final String text)
    {
        assertEquals(-1, SizeFormat.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "1023, 1023", "1024, 1K", "1025, 1025", "65536, 64K", "4194304, 4M",
        "1099511627776, 1T", "1125899906842624, 1024T"})
    void shouldFormatParseableSizes(final long bytes, final String text)
    {
        assertEquals(text, SizeFormat.format(bytes));
        assertEquals(bytes, SizeFormat.parse(text));
    }
}
