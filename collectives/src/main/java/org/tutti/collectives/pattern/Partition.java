/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Elements divided into parts of nearly equal length: the first {@code count % parts} have one element more than the
 * others. Parts may be empty.
 *
 * @param count elements, from 0.
 * @param parts at least 1.
 */
public record Partition(long count, int parts)
{
    /**
     * Where a part begins.
     *
     * @param part from 0; the number of parts gives the count.
     * @return the first element.
     */
    public long offset(final int part)
    {
        return part * (count / parts) + Math.min(part, count % parts);
    }

    /**
     * How long a part is.
     *
     * @param part from 0, less than the number of parts.
     * @return elements, from 0.
     */
    public long length(final int part)
    {
        return count / parts + (part < count % parts ? 1 : 0);
    }

    /**
     * How long the longest part is.
     *
     * @return elements.
     */
    public long longest()
    {
        return length(0);
    }
}
