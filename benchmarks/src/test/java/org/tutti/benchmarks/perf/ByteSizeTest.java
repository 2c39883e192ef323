/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ByteSizeTest
{
    @ParameterizedTest
    @CsvSource({
        "0, 0", "512, 512", "4k, 4096", "4K, 4096", "64M, 67108864", "1G, 1073741824", "1g, 1073741824",
        "2T, 2199023255552", "8B, 8", "64MB, 67108864", "64MiB, 67108864", "' 3k ', 3072" })
    void shouldReadSizes(final String text, final long expected)
    {
        assertEquals(expected, ByteSize.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = { "", "M", "-1", "4x", "4kk", "1.5G", "4k8", "0x10", "99999999999999999999", "9999999999T" })
    void shouldRefuseWhatIsNoSizeNamingIt(final String text)
    {
        final var refusal = assertThrows(IllegalArgumentException.class, () -> ByteSize.parse(text));

        assertTrue(refusal.getMessage().startsWith("'" + text + "'"), refusal.getMessage());
    }

    @Test
    void shouldSweepByFactorAndEndAtTheLastSize()
    {
        assertArrayEquals(new long[] { 2, 8, 32, 128, 256 }, new SizeSweep(8, 1024, 0, 4).counts(4));
        assertArrayEquals(new long[] { 2, 8, 32, 128 }, new SizeSweep(8, 512, 0, 4).counts(4));
        assertArrayEquals(new long[] { 1 }, new SizeSweep(8, 8, 0, 4).counts(8));
    }

    @Test
    void shouldSweepByStepRoundingDownToElements()
    {
        assertArrayEquals(new long[] { 2, 5, 7, 8 }, new SizeSweep(10, 32, 10, 2).counts(4));
    }

    @Test
    void shouldSweepToTheLargestSizeWithoutOverflow()
    {
        final long[] counts = new SizeSweep(0, Long.MAX_VALUE, 0, 1 << 20).counts(1);

        assertArrayEquals(new long[] { 0, 1, 1L << 20, 1L << 40, 1L << 60, Long.MAX_VALUE }, counts);
    }

    @Test
    void shouldRunSmallSizesOftenAndLargeOnesSeldom()
    {
        final Iterations bySize = Iterations.of(0, -1);
        assertEquals(10_000, bySize.timed(8));
        assertEquals(16, bySize.timed(64 << 20));
        assertEquals(5, bySize.timed(4L << 30));
        assertEquals(2_000, bySize.warmup(8));
        assertEquals(1, bySize.warmup(4L << 30));

        final Iterations asked = Iterations.of(7, 0);
        assertEquals(7, asked.timed(4L << 30));
        assertEquals(0, asked.warmup(8));
    }
}
