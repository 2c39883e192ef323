/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Binomial tree of {@link FoldedRanks} with rank 0 as its root: the children of a rank are its extra, then the ranks
 * whose folded ranks are 1, 2, 4 and so on above its own. A reduction in this order combines neighbours first, as
 * recursive doubling does.
 *
 * @param size number of ranks, at least 1.
 */
public record FoldedTree(int size) implements Tree
{
    @Override
    public int parent(final int rank)
    {
        final FoldedRanks folded = new FoldedRanks(size);
        if (folded.isExtra(rank))
        {
            return rank - 1;
        }
        final int own = folded.foldedRank(rank);
        return own == 0 ? NONE : folded.rank(own & (own - 1));
    }

    @Override
    public int[] children(final int rank)
    {
        final FoldedRanks folded = new FoldedRanks(size);
        if (folded.isExtra(rank))
        {
            return new int[0];
        }
        final int own = folded.foldedRank(rank);
        final int below = Integer.numberOfTrailingZeros(own == 0 ? folded.count() : own);
        final int first = folded.extraOf(rank) == FoldedRanks.NONE ? 0 : 1;
        final int[] children = new int[first + below];
        for (int bit = 0; bit < below; bit++)
        {
            children[first + bit] = folded.rank(own + (1 << bit));
        }
        if (first > 0)
        {
            children[0] = folded.extraOf(rank);
        }
        return children;
    }

    /**
     * Returns the largest number of children of a rank.
     *
     * @return number of children of rank 0, from 0.
     */
    public int maxChildren()
    {
        return children(0).length;
    }
}
