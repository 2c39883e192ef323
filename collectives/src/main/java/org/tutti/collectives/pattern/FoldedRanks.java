/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Any number of ranks, for algorithms that need a power of two. Ranks beyond the largest power of two fold: the first
 * ranks pair up, and of ranks {@code 2 i} and {@code 2 i + 1} the even one is the <i>proxy</i> of the odd one, the
 * <i>extra</i>, which takes part through it. The ranks that are left are numbered from 0, in their order, so that an
 * algorithm which combines neighbouring folded ranks, a proxy with its extra first, keeps the order of ranks.
 * <pre>
 *   size 6:         0  1   2  3   4   5
 *                   `--´   `--´   |   |
 *   folded rank:     0      1     2   3
 * </pre>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 *
 * @param size ranks, at least 1.
 */
public record FoldedRanks(int size)
{
    /** What {@link #extraOf} returns for a rank that is no proxy. */
    public static final int NONE = -1;

    /**
     * How many folded ranks there are.
     *
     * @return the largest power of two that is at most the size.
     */
    public int count()
    {
        return Integer.highestOneBit(size);
    }

    /**
     * How many rounds of doubling or halving folded ranks take.
     *
     * @return the binary logarithm of {@link #count}.
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
     * The extra of a rank.
     *
     * @param rank rank, from 0 to size - 1.
     * @return the rank after a proxy, else {@link #NONE}.
     */
    public int extraOf(final int rank)
    {
        return rank < 2 * extras() && rank % 2 == 0 ? rank + 1 : NONE;
    }

    /**
     * The folded rank of a rank, or that of its proxy.
     *
     * @param rank rank, from 0 to size - 1.
     * @return from 0 to count - 1.
     */
    public int foldedRank(final int rank)
    {
        return rank < 2 * extras() ? rank / 2 : rank - extras();
    }

    /**
     * The rank of a folded rank.
     *
     * @param foldedRank folded rank, from 0 to count - 1.
     * @return a rank that is no extra.
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
