/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import org.tutti.collectives.Communicator;

/** Continues a training from a checkpoint on all ranks, and writes checkpoints on rank 0. */
final class Checkpoints
{
    private static final int ABSENT = 0;
    private static final int FOUND = 1;
    private static final int INVALID = 2;

    private final Communicator world;
    private final Trainer trainer;
    private final CheckpointFile file;
    private final long every;
    private final long last;

    /**
     * Creates the checkpoints of a training.
     *
     * @param world   communicator of the ranks.
     * @param trainer trainer whose state is written and replaced.
     * @param file    file, used on rank 0 only.
     * @param every   number of steps between two checkpoints, at least 1.
     * @param last    number of steps of the training, after which there is a checkpoint, too.
     */
    Checkpoints(
        final Communicator world, final Trainer trainer, final CheckpointFile file, final long every, final long last)
    {
        this.world = world;
        this.trainer = trainer;
        this.file = file;
        this.every = every;
        this.last = last;
    }

    /**
     * Continues from the file of rank 0, if it exists. Called by all ranks.
     *
     * @return false on all other ranks if rank 0 cannot use the file.
     * @throws DataException on rank 0 if it cannot use the file; the other ranks know.
     */
    boolean resume()
    {
        Checkpoint found = null;
        DataException problem = null;
        if (world.rank() == 0)
        {
            try
            {
                found = file.read(trainer.state().parameters());
            }
            catch (final DataException e)
            {
                problem = e;
            }
        }
        final int[] state = {problem != null ? INVALID : found != null ? FOUND : ABSENT};
        world.broadcast(state, 0);
        if (problem != null)
        {
            throw problem;
        }
        if (state[0] == FOUND)
        {
            trainer.resume(found);
        }
        return state[0] != INVALID;
    }

    /**
     * Writes a checkpoint if it is time.
     *
     * @param steps number of steps done.
     * @throws DataException if the file cannot be written.
     */
    void afterStep(final long steps)
    {
        if (world.rank() == 0 && (steps % every == 0 || steps == last))
        {
            file.write(trainer.state());
        }
    }
}
