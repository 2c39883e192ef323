/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * A range of elements cut into segments of one length; the last may be shorter.
 *
 * @param offset  first element.
 * @param count   elements, from 0.
 * @param segment the most elements of a segment, at least 1.
 */
public record Segments(long offset, long count, long segment)
{
    /**
     * How many segments there are.
     *
     * @return from 0.
     * @throws IllegalArgumentException if a schedule could not have so many steps.
     */
    public int number()
    {
        final long number = number(count, segment);
        if (number > Integer.MAX_VALUE / 64)
        {
            throw new IllegalArgumentException(
                "count=" + count + " in segments of " + segment + " elements gives " + number +
                " segments, more than " + Integer.MAX_VALUE / 64 + ": take longer segments");
        }
        return (int)number;
    }

    /**
     * Where a segment begins.
     *
     * @param index index from 0.
     * @return the first element.
     */
    public long offset(final int index)
    {
        return offset + index * segment;
    }

    /**
     * How long a segment is.
     *
     * @param index index from 0; past the end, segments are empty.
     * @return elements, from 0.
     */
    public long length(final int index)
    {
        return Math.clamp(count - index * segment, 0, segment);
    }

    /**
     * How long the longest segment is.
     *
     * @return elements, from 0.
     */
    public long longest()
    {
        return Math.min(count, segment);
    }

    private static long number(final long count, final long segment)
    {
        return count / segment + (count % segment == 0 ? 0 : 1);
    }
}
