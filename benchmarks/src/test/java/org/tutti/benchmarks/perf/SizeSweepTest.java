/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

class SizeSweepTest
{
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
        final Iterations bySize = Iterations.of(0, -1, true);
        assertEquals(10_000, bySize.timed(8));
        assertEquals(16, bySize.timed(64 << 20));
        assertEquals(5, bySize.timed(4L << 30));
        assertEquals(2_000, bySize.warmup(8));
        assertEquals(1, bySize.warmup(4L << 30));

        final Iterations asked = Iterations.of(7, 0, false);
        assertEquals(7, asked.timed(4L << 30));
        assertEquals(0, asked.warmup(8));
    }
}
