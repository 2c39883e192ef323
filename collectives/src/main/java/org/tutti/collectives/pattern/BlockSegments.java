/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Blocks cut into segments that are worked on one after the other: segment {@code i} of every block before segment
 * {@code i + 1}; it is empty where a block is shorter.
 *
 * @param blocks        one per rank.
 * @param segmentLength the most elements of a segment, at least 1.
 */
public record BlockSegments(Blocks blocks, long segmentLength)
{
    /**
     * How many segments there are.
     *
     * @return from 0.
     * @throws IllegalArgumentException if a schedule could not have so many steps.
     */
    public int number()
    {
        return new Segments(0, blocks.longest(), segmentLength).number();
    }

    /**
     * Where a segment of a block begins.
     *
     * @param segment index of the segment, from 0.
     * @param block   index of the block, from 0.
     * @return the element of the buffer that has all blocks.
     */
    public long offset(final int segment, final int block)
    {
        return blocks.offset(block) + segment * segmentLength;
    }

    /**
     * How long a segment of a block is.
     *
     * @param segment index of the segment, from 0.
     * @param block   index of the block, from 0.
     * @return elements, from 0.
     */
    public long length(final int segment, final int block)
    {
        return Math.clamp(blocks.length(block) - segment * segmentLength, 0, segmentLength);
    }

    /**
     * All segments of a block.
     *
     * @param block index of the block, from 0.
     * @return as many as are not empty.
     */
    public Segments segments(final int block)
    {
        return new Segments(blocks.offset(block), blocks.length(block), segmentLength);
    }

    /**
     * One segment of every block, packed without gaps.
     *
     * @param segment index of the segment, from 0; the first is the longest.
     * @return their lengths.
     */
    public Packing packing(final int segment)
    {
        final long[] ends = new long[2 * blocks.number() + 1];
        for (int i = 0; i < ends.length - 1; i++)
        {
            ends[i + 1] = ends[i] + length(segment, i % blocks.number());
        }
        return new Packing(ends);
    }

    /**
     * Segments of blocks that lie one after the other, from any block on, around.
     *
     * @param ends by block, twice around: the end of the blocks before it.
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Packing(long[] ends)
    {
        /**
         * How long some are together.
         *
         * @param first  block, from 0.
         * @param number number of blocks from there on, around.
         * @return elements.
         */
        public long length(final int first, final int number)
        {
            return ends[first + number] - ends[first];
        }

        /**
         * How long all are together.
         *
         * @return elements.
         */
        public long total()
        {
            return ends[ends.length / 2];
        }
    }
}
