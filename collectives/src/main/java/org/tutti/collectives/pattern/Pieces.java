/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Blocks cut into pieces that are worked on one after the other: piece {@code i} is the i-th segment of every block,
 * which is empty of blocks that are shorter.
 *
 * @param blocks  one per rank.
 * @param segment the most elements of a block in a piece, at least 1.
 */
public record Pieces(Blocks blocks, long segment)
{
    /**
     * How many pieces there are.
     *
     * @return from 0.
     * @throws IllegalArgumentException if a schedule could not have so many steps.
     */
    public int number()
    {
        return new Segments(0, blocks.longest(), segment).number();
    }

    /**
     * Where a block's part of a piece begins.
     *
     * @param piece from 0.
     * @param block from 0.
     * @return the element of the buffer that has all blocks.
     */
    public long offset(final int piece, final int block)
    {
        return blocks.offset(block) + piece * segment;
    }

    /**
     * How long a block's part of a piece is.
     *
     * @param piece from 0.
     * @param block from 0.
     * @return elements, from 0.
     */
    public long length(final int piece, final int block)
    {
        return Math.clamp(blocks.length(block) - piece * segment, 0, segment);
    }

    /**
     * A block's parts of all pieces.
     *
     * @param block from 0.
     * @return as many as are not empty.
     */
    public Segments segments(final int block)
    {
        return new Segments(blocks.offset(block), blocks.length(block), segment);
    }

    /**
     * A piece's parts of all blocks, packed without gaps.
     *
     * @param piece from 0; the first is the longest.
     * @return their lengths.
     */
    public Packing packing(final int piece)
    {
        final long[] ends = new long[2 * blocks.number() + 1];
        for (int i = 0; i < ends.length - 1; i++)
        {
            ends[i + 1] = ends[i] + length(piece, i % blocks.number());
        }
        return new Packing(ends);
    }

    /**
     * Parts of blocks that lie one after the other, from any block on, around.
     *
     * @param ends by block, twice around: where those before it end.
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Packing(long[] ends)
    {
        /**
         * How long some parts are together.
         *
         * @param first  block, from 0.
         * @param number of blocks from there on, around.
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
