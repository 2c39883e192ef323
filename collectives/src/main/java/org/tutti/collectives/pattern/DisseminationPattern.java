/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Dissemination: in round {@code i} every rank sends what it knows to the rank {@code 2^i} above. After the last round
 * every rank has heard from every rank, directly or not.
 *
 * @param rank rank, from 0 to {@code size - 1}.
 * @param size number of ranks, at least 1.
 */
public record DisseminationPattern(int rank, int size)
{
    /**
     * Returns the number of rounds.
     *
     * @return logarithm of the size to base 2, rounded up.
     */
    public int rounds()
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    /**
     * Returns the rank to send to.
     *
     * @param round index of the round, from 0.
     * @return a rank, different in each round.
     */
    public int to(final int round)
    {
        return (int)((rank + (1L << round)) % size);
    }

    /**
     * Returns the rank to receive from.
     *
     * @param round index of the round, from 0.
     * @return a rank, different in each round.
     */
    public int from(final int round)
    {
        return Math.floorMod(rank - (1 << round), size);
    }
}
