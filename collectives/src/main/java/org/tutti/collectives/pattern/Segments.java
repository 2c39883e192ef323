/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Range of elements split into segments of equal length; the last may be shorter.
 *
 * @param offset  offset of the first element.
 * @param count   number of elements, from 0.
 * @param segment maximum length of a segment in elements, at least 1.
 */
public record Segments(long offset, long count, long segment)
{
    /**
     * Returns the number of segments.
     *
     * @return segments, from 0.
     * @throws IllegalArgumentException if there are more segments than a schedule can have.
     */
    public int number()
    {
        final long number = number(count, segment);
        if (number > Integer.MAX_VALUE / 64)
        {
            throw new IllegalArgumentException(
                "count=" + count + " in segments of " + segment + " elements gives " + number +
                " segments, more than " + Integer.MAX_VALUE / 64 + ": use longer segments");
        }
        return (int)number;
    }

    /**
     * Returns the offset of a segment.
     *
     * @param index index of the segment, from 0.
     * @return offset of the first element.
     */
    public long offset(final int index)
    {
        return offset + index * segment;
    }

    /**
     * Returns the length of a segment.
     *
     * @param index index of the segment, from 0; segments past the end are empty.
     * @return number of elements, from 0.
     */
    public long length(final int index)
    {
        return Math.clamp(count - index * segment, 0, segment);
    }

    /**
     * Returns the length of the longest segment.
     *
     * @return number of elements, from 0.
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
