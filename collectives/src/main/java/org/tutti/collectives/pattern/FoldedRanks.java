/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Ranks as the leaves of a binary tree that is equally deep everywhere, in their order: it needs a power of two. As
 * many ranks as there are beyond the largest one, the odd ones of the first, are folded into the ranks before them.
 * What is left is numbered from 0.
 * <pre>
 *   size 6:    0  1   2  3   4   5
 *              `--´   `--´   |   |
 *   number:     0      1     2   3
 * </pre>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 *
 * @param size ranks, at least 1.
 */
public record FoldedRanks(int size)
{
    /**
     * How many numbers there are.
     *
     * @return the largest power of two that is not above the size.
     */
    public int numbers()
    {
        return Integer.highestOneBit(size);
    }

    /**
     * Whether a rank is folded into another, or another into it.
     *
     * @param rank from 0 to size - 1.
     * @return true for the first ranks.
     */
    public boolean isPaired(final int rank)
    {
        return rank < 2 * (size - numbers());
    }

    /**
     * Whether a rank is folded into the one before it.
     *
     * @param rank from 0 to size - 1.
     * @return true for the odd ones of the first.
     */
    public boolean isFolded(final int rank)
    {
        return isPaired(rank) && rank % 2 == 1;
    }

    /**
     * The number of a rank.
     *
     * @param rank from 0 to size - 1; a folded one has that of the rank before.
     * @return from 0.
     */
    public int number(final int rank)
    {
        return isPaired(rank) ? rank / 2 : rank - (size - numbers());
    }

    /**
     * The rank of a number.
     *
     * @param number from 0 to numbers - 1.
     * @return the one that is not folded.
     */
    public int rank(final int number)
    {
        final int folded = size - numbers();
        return number < folded ? 2 * number : number + folded;
    }
}
