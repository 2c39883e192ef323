/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Folds any number of ranks onto a power of two, for algorithms that need one. The first ranks form as many pairs as
 * there are ranks beyond the largest power of two: of ranks {@code 2 i} and {@code 2 i + 1} the odd one is an
 * <i>extra</i>, which takes part through the even one, its <i>proxy</i>. All ranks but extras are numbered from 0 in
 * their order, so an algorithm that combines neighbouring folded ranks, a proxy with its extra first, keeps rank order.
 * <pre>
 *   size 6:         0  1   2  3   4   5
 *                   `--´   `--´   |   |
 *   folded rank:     0      1     2   3
 * </pre>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 *
 * @param size number of ranks, at least 1.
 */
public record FoldedRanks(int size)
{
    /** Returned by {@link #extraOf} for a rank that is not a proxy. */
    public static final int NONE = -1;

    /**
     * Returns the number of folded ranks.
     *
     * @return largest power of two that is at most the size.
     */
    public int count()
    {
        return Integer.highestOneBit(size);
    }

    /**
     * Returns the number of rounds of doubling or halving over the folded ranks.
     *
     * @return binary logarithm of {@link #count}.
     */
    public int rounds()
    {
        return Integer.numberOfTrailingZeros(count());
    }

    public boolean hasExtras()
    {
        return extras() > 0;
    }

    public boolean isExtra(final int rank)
    {
        return rank < 2 * extras() && rank % 2 == 1;
    }

    /**
     * Returns the extra of a rank.
     *
     * @param rank rank, from 0 to size - 1.
     * @return the rank + 1 if the rank is a proxy, else {@link #NONE}.
     */
    public int extraOf(final int rank)
    {
        return rank < 2 * extras() && rank % 2 == 0 ? rank + 1 : NONE;
    }

    /**
     * Returns the folded rank of a rank; for an extra, that of its proxy.
     *
     * @param rank rank, from 0 to size - 1.
     * @return folded rank, from 0 to count - 1.
     */
    public int foldedRank(final int rank)
    {
        return rank < 2 * extras() ? rank / 2 : rank - extras();
    }

    /**
     * Returns the rank of a folded rank.
     *
     * @param foldedRank folded rank, from 0 to count - 1.
     * @return a rank that is not an extra.
     */
    public int rank(final int foldedRank)
    {
        return foldedRank < extras() ? 2 * foldedRank : foldedRank + extras();
    }

    private int extras()
    {
        return size - count();
    }
}
