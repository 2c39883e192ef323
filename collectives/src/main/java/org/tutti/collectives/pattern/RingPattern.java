/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Ranks in a circle, and the chunks (one per rank) that travel round it twice: while they are reduced, in steps 0 to
 * {@code size - 2}, and while the results are handed on, in steps {@code size - 1} to {@code 2 size - 3}. In every step
 * a rank sends one chunk to the next rank and receives another from the previous one.
 *
 * @param rank rank, from 0 to {@code size - 1}.
 * @param size number of ranks, at least 2.
 */
public record RingPattern(int rank, int size)
{
    /**
     * The rank that this rank sends to.
     *
     * @return a rank.
     */
    public int next()
    {
        return rank + 1 == size ? 0 : rank + 1;
    }

    /**
     * The rank that this rank receives from.
     *
     * @return a rank.
     */
    public int previous()
    {
        return rank == 0 ? size - 1 : rank - 1;
    }

    /**
     * How many steps both rounds have.
     *
     * @return {@code 2 size - 2}.
     */
    public int steps()
    {
        return 2 * size - 2;
    }

    /**
     * Which chunk this rank sends. What it sends in a step it received in the step before, but for step 0.
     *
     * @param step index of the step, from 0.
     * @return from 0 to {@code size - 1}.
     */
    public int sent(final int step)
    {
        return Math.floorMod(rank - step, size);
    }

    /**
     * Which chunk this rank receives: what the previous rank sends.
     *
     * @param step index of the step, from 0.
     * @return from 0 to {@code size - 1}.
     */
    public int received(final int step)
    {
        return Math.floorMod(rank - 1 - step, size);
    }
}
