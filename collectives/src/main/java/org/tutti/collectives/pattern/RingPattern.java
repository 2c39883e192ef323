/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

/**
 * Ring of ranks around which chunks, one per rank, travel twice: in steps 0 to {@code size - 2} while they are reduced,
 * and in steps {@code size - 1} to {@code 2 size - 3} while the results are distributed. In every step a rank sends one
 * chunk to the next rank and receives another from the previous rank.
 *
 * @param rank rank, from 0 to {@code size - 1}.
 * @param size number of ranks, at least 2.
 */
public record RingPattern(int rank, int size)
{
    /**
     * Returns the rank that this rank sends to.
     *
     * @return a rank.
     */
    public int next()
    {
        return rank + 1 == size ? 0 : rank + 1;
    }

    /**
     * Returns the rank that this rank receives from.
     *
     * @return a rank.
     */
    public int previous()
    {
        return rank == 0 ? size - 1 : rank - 1;
    }

    /**
     * Returns the number of steps of both rounds.
     *
     * @return {@code 2 size - 2}.
     */
    public int steps()
    {
        return 2 * size - 2;
    }

    /**
     * Returns the chunk that this rank sends: the one received in the step before, except in step 0.
     *
     * @param step index of the step, from 0.
     * @return chunk, from 0 to {@code size - 1}.
     */
    public int sent(final int step)
    {
        return Math.floorMod(rank - step, size);
    }

    /**
     * Returns the chunk that this rank receives, which the previous rank sends.
     *
     * @param step index of the step, from 0.
     * @return chunk, from 0 to {@code size - 1}.
     */
    public int received(final int step)
    {
        return Math.floorMod(rank - 1 - step, size);
    }
}
