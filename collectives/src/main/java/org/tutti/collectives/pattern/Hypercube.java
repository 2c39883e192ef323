/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Ranks as the corners of a hypercube: as many as the largest power of two that is not more than the size. Where the
 * size is none, the first ranks pair up: of ranks {@code 2 i} and {@code 2 i + 1} the even one is the <i>proxy</i> of
 * the odd one, the <i>extra</i>, which is no corner. Corners are numbered in the order of ranks, so that whatever
 * combines neighbouring corners, a proxy with its extra first, keeps that order.
 *
 * @param size at least 1.
 */
public record Hypercube(int size)
{
    /** What {@link #extraOf} says of a rank that is nobody's proxy. */
    public static final int NONE = -1;

    /**
     * How many corners there are.
     *
     * @return a power of two.
     */
    public int corners()
    {
        return Integer.highestOneBit(size);
    }

    /**
     * How many dimensions it has.
     *
     * @return from 0.
     */
    public int dimensions()
    {
        return Integer.numberOfTrailingZeros(corners());
    }

    public boolean isExtra(final int rank)
    {
        return rank < 2 * extras() && rank % 2 == 1;
    }

    /**
     * The corner of a rank, or that of its proxy.
     *
     * @param rank from 0.
     * @return from 0.
     */
    public int corner(final int rank)
    {
        return rank < 2 * extras() ? rank / 2 : rank - extras();
    }

    /**
     * Who is a corner.
     *
     * @param corner from 0.
     * @return a rank.
     */
    public int rankOf(final int corner)
    {
        return corner < extras() ? 2 * corner : corner + extras();
    }

    /**
     * Whose proxy a corner is.
     *
     * @param corner from 0.
     * @return the rank of its extra, or {@link #NONE}.
     */
    public int extraOf(final int corner)
    {
        return corner < extras() ? 2 * corner + 1 : NONE;
    }

    private int extras()
    {
        return size - corners();
    }
}
