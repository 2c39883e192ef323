/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeTest
{
    @ParameterizedTest
    @CsvSource({"512, 512, 512", "4k, 4096, 4K", "64MiB, 67108864, 64M", "1000, 1000, 1000", "0, 0, 0"})
    void shouldParseAndFormatSizes(final String text, final long bytes, final String written)
    {
        final ByteSize size = new ByteSize.Converter().convert(text);

        assertEquals(bytes, size.bytes());
        assertEquals(written, size.toString());
    }

    @ParameterizedTest
    @CsvSource({
        "64X, is not a size: give a number such as 512",
        "-1, is not a size: give a number such as 512",
        "9999999999T, is too large: at most 8388607T"})
    void shouldRejectAndNameInvalidSize(final String text, final String problem)
    {
        final String refusal =
            assertThrows(TypeConversionException.class, () -> new ByteSize.Converter().convert(text)).getMessage();

        assertTrue(refusal.startsWith("'" + text + "' " + problem), refusal);
    }
}
