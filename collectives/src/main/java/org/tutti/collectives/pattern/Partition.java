/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Division of elements into chunks of nearly equal length: the first {@code count % number} chunks have one element
 * more than the others. Chunks may be empty.
 *
 * @param count  number of elements, from 0.
 * @param number number of chunks, at least 1.
 */
public record Partition(long count, int number)
{
    /**
     * Returns the offset of a chunk.
     *
     * @param chunk index of the chunk, from 0; {@code number} yields the end of the last chunk.
     * @return offset of the first element.
     */
    public long offset(final int chunk)
    {
        return chunk * (count / number) + Math.min(chunk, count % number);
    }

    /**
     * Returns the length of a chunk.
     *
     * @param chunk index of the chunk, from 0, less than the number of chunks.
     * @return number of elements, from 0.
     */
    public long length(final int chunk)
    {
        return count / number + (chunk < count % number ? 1 : 0);
    }

    /**
     * Returns the length of the longest chunk.
     *
     * @return number of elements, from 0.
     */
    public long longest()
    {
        return length(0);
    }
}
