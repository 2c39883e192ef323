/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import java.util.Arrays;

/**
 * The tree in which a rank's parent has the same number, counted from the root, but for its lowest bit that is set.
 * Every rank that has the data hands it on to one that has not, in every round, so that the number of ranks that have
 * it doubles.
 *
 * @param size at least 1.
 * @param root from 0 to {@code size - 1}.
 */
public record BinomialTree(int size, int root) implements Tree
{
    @Override
    public int parent(final int rank)
    {
        final int number = Math.floorMod(rank - root, size);
        return number == 0 ? NONE : rankOf(number & (number - 1));
    }

    /** The child with the most ranks below it comes first. */
    @Override
    public int[] children(final int rank)
    {
        final int number = Math.floorMod(rank - root, size);
        final int bits = Integer.numberOfTrailingZeros(number == 0 ? Integer.highestOneBit(size) << 1 : number);
        final int[] children = new int[bits];
        int length = 0;
        for (int bit = bits - 1; bit >= 0; bit--)
        {
            if (number + (1L << bit) < size)
            {
                children[length++] = rankOf(number + (1 << bit));
            }
        }
        return Arrays.copyOf(children, length);
    }

    /**
     * How many ranks a rank and all below it are: so many in a row, around, from it on.
     *
     * @param rank from 0.
     * @return at least 1.
     */
    public int span(final int rank)
    {
        final int number = Math.floorMod(rank - root, size);
        return number == 0 ? size : Math.min(number & -number, size - number);
    }

    private int rankOf(final int number)
    {
        return (int)((number + (long)root) % size);
    }
}
