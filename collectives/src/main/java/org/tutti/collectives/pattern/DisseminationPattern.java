/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * In round {@code i} every rank tells the one {@code 2^i} further what it knows; after the last round every rank has
 * heard, directly or not, of every rank.
 *
 * @param rank rank, from 0 to {@code size - 1}.
 * @param size number of ranks, at least 1.
 */
public record DisseminationPattern(int rank, int size)
{
    /**
     * How many rounds it takes.
     *
     * @return the logarithm of the size to base 2, rounded up.
     */
    public int rounds()
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    /**
     * The rank to tell.
     *
     * @param round index of the round, from 0.
     * @return a rank, another in each round.
     */
    public int to(final int round)
    {
        return (int)((rank + (1L << round)) % size);
    }

    /**
     * The rank to hear from.
     *
     * @param round index of the round, from 0.
     * @return a rank, another in each round.
     */
    public int from(final int round)
    {
        return Math.floorMod(rank - (1 << round), size);
    }
}
