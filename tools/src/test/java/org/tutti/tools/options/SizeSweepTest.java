/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.options;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;

class SizeSweepTest
{
    @Test
    void shouldSweepByFactorAndEndAtLastSize()
    {
        assertArrayEquals(new long[] { 2, 8, 32, 128, 256 }, new SizeSweep(8, 1024, 0, 4).counts(4));
        assertArrayEquals(new long[] { 2, 8, 32, 128 }, new SizeSweep(8, 512, 0, 4).counts(4));
        assertArrayEquals(new long[] { 1 }, new SizeSweep(8, 8, 0, 4).counts(8));
    }

    @Test
    void shouldSweepByStepAndRoundDownToElements()
    {
        assertArrayEquals(new long[] { 2, 5, 7, 8 }, new SizeSweep(10, 32, 10, 2).counts(4));
    }

    @Test
    void shouldSweepToLargestSizeWithoutOverflow()
    {
        final long[] counts = new SizeSweep(0, Long.MAX_VALUE, 0, 1 << 20).counts(1);

        assertArrayEquals(new long[] { 0, 1, 1L << 20, 1L << 40, 1L << 60, Long.MAX_VALUE }, counts);
    }
}
