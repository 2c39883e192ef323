/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Blocks split into segments that are processed in order: segment {@code i} of every block before segment
 * {@code i + 1} of any block. Segments past the end of a block are empty.
 *
 * @param blocks        one block per rank.
 * @param segmentLength maximum length of a segment in elements, at least 1.
 */
public record BlockSegments(Blocks blocks, long segmentLength)
{
    /**
     * Returns the number of segments of the longest block.
     *
     * @return segments, from 0.
     * @throws IllegalArgumentException if there are more segments than a schedule can have.
     */
    public int number()
    {
        return new Segments(0, blocks.longest(), segmentLength).number();
    }

    /**
     * Returns the offset of a segment of a block.
     *
     * @param segment index of the segment, from 0.
     * @param block   index of the block, from 0.
     * @return offset in elements, in the buffer that has all blocks.
     */
    public long offset(final int segment, final int block)
    {
        return blocks.offset(block) + segment * segmentLength;
    }

    /**
     * Returns the length of a segment of a block.
     *
     * @param segment index of the segment, from 0.
     * @param block   index of the block, from 0.
     * @return number of elements, from 0.
     */
    public long length(final int segment, final int block)
    {
        return Math.clamp(blocks.length(block) - segment * segmentLength, 0, segmentLength);
    }

    /**
     * Returns all segments of a block.
     *
     * @param block index of the block, from 0.
     * @return the segments that are not empty.
     */
    public Segments segments(final int block)
    {
        return new Segments(blocks.offset(block), blocks.length(block), segmentLength);
    }

    /**
     * Packs one segment of every block without gaps. Needs no memory per block if all blocks have the same length.
     *
     * @param segment index of the segment, from 0; the first is the longest.
     * @return offsets of the packed segments.
     */
    public Packing packing(final int segment)
    {
        if (blocks.isUniform())
        {
            return new Packing(blocks.number(), length(segment, 0), null);
        }
        final long[] ends = new long[2 * blocks.number() + 1];
        for (int i = 0; i < ends.length - 1; i++)
        {
            ends[i + 1] = ends[i] + length(segment, i % blocks.number());
        }
        return new Packing(blocks.number(), 0, ends);
    }

    /**
     * One segment of each block, packed one after the other from any block on, wrapping around.
     *
     * @param number number of blocks.
     * @param each   length of each segment if all blocks have the same length.
     * @param ends   by block: the total length of the segments of all preceding blocks; the list of blocks is repeated,
     *               for ranges that wrap around. Null if all blocks have the same length.
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Packing(int number, long each, long[] ends)
    {
        /**
         * Returns the total length of several segments.
         *
         * @param first index of the first block, from 0.
         * @param count number of blocks from {@code first} on, wrapping around.
         * @return number of elements.
         */
        public long length(final int first, final int count)
        {
            return ends == null ? count * each : ends[first + count] - ends[first];
        }

        /**
         * Returns the total length of all segments.
         *
         * @return number of elements.
         */
        public long total()
        {
            return length(0, number);
        }
    }
}
