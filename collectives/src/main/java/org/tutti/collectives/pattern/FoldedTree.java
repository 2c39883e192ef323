/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * The binomial tree of {@link FoldedRanks}, with rank 0 at the top: below a rank come the one that is folded into it,
 * and then those of the numbers 1, 2, 4 and so on above its own. Summed up in this order, neighbours come first, as in
 * recursive doubling.
 *
 * @param size at least 1.
 */
public record FoldedTree(int size) implements Tree
{
    @Override
    public int parent(final int rank)
    {
        final FoldedRanks folded = new FoldedRanks(size);
        if (folded.isFolded(rank))
        {
            return rank - 1;
        }
        final int number = folded.number(rank);
        return number == 0 ? NONE : folded.rank(number & (number - 1));
    }

    @Override
    public int[] children(final int rank)
    {
        final FoldedRanks folded = new FoldedRanks(size);
        if (folded.isFolded(rank))
        {
            return new int[0];
        }
        final int number = folded.number(rank);
        final int below = Integer.numberOfTrailingZeros(number == 0 ? folded.numbers() : number);
        final int first = folded.isPaired(rank) ? 1 : 0;
        final int[] children = new int[first + below];
        for (int bit = 0; bit < below; bit++)
        {
            children[first + bit] = folded.rank(number + (1 << bit));
        }
        if (first > 0)
        {
            children[0] = rank + 1;
        }
        return children;
    }

    /**
     * How many ranks are below another at most.
     *
     * @return those of rank 0, from 0.
     */
    public int mostChildren()
    {
        return children(0).length;
    }
}
