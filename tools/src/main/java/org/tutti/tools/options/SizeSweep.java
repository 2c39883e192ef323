/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.options;

import java.util.stream.LongStream;

/**
 * The sizes that are measured or simulated. The last one is always {@code max}, even when the steps pass over it.
 *
 * @param min    first size in bytes, at least 0.
 * @param max    last size in bytes, at least {@code min}.
 * @param step   bytes from one size to the next; 0 to multiply instead.
 * @param factor factor from one size to the next, at least 2, when there is no step.
 */
public record SizeSweep(long min, long max, long step, int factor)
{
    /**
     * The sizes in whole elements, without those that rounding makes the same.
     *
     * @param elementSize element size in bytes; sizes are rounded down to it.
     * @return ascending numbers of elements.
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
