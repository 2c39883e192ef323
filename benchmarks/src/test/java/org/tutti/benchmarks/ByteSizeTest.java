/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ByteSizeTest
{
    @ParameterizedTest
    @CsvSource({
        "64X, is not a size: write 512", "-1, is not a size: write 512", "9999999999T, is too large: at most 8388607T"})
    void shouldRefuseWhatIsNoSizeNamingIt(final String text, final String problem)
    {
        final var refusal =
            assertThrows(CommandLine.TypeConversionException.class, () -> new ByteSize().convert(text));

        assertTrue(refusal.getMessage().startsWith("'" + text + "' " + problem), refusal.getMessage());
    }
}
