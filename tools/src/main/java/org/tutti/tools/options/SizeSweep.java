/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.options;

import java.util.stream.LongStream;

/**
 * Sizes to measure or simulate. The last size is always {@code max}, even if no step reaches it.
 *
 * @param min    first size in bytes, at least 0.
 * @param max    last size in bytes, at least {@code min}.
 * @param step   increment between sizes in bytes; 0 to multiply instead.
 * @param factor factor between sizes, at least 2, if there is no increment.
 */
public record SizeSweep(long min, long max, long step, int factor)
{
    /**
     * Sizes in whole elements, without duplicates from rounding.
     *
     * @param elementSize element size in bytes; sizes are rounded down to multiples of it.
     * @return numbers of elements in ascending order.
     */
    public long[] counts(final int elementSize)
    {
        return LongStream.concat(LongStream.iterate(min, size -> size < max, this::next), LongStream.of(max))
            .map(size -> size / elementSize)
            .distinct()
            .toArray();
    }

    private long next(final long size)
    {
        if (step > 0)
        {
            return size > max - step ? max : size + step;
        }
        return size == 0 ? 1 : size > max / factor ? max : size * factor;
    }
}
