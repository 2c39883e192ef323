/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/**
 * A rank that runs collectives of all sizes for a while, then closes, and prints its current phase: a target for
 * {@link KillTest}.
 */
public final class KillTarget
{
    private KillTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments duration of the run in milliseconds.
     */
    public static void main(final String[] arguments)
    {
        final long runNs = Long.parseLong(arguments[0]) * 1_000_000;
        System.out.println("connecting " + System.getenv("RANK"));
        try (Communicator communicator = Communicator.world())
        {
            System.out.println("connected " + communicator.rank());
            final DataBuffer large = communicator.allocate(DataType.FLOAT32, 300_000);
            final DataBuffer small = large.slice(0, 3);
            final int[] isRunning = {1};
            final long start = System.nanoTime();
            boolean isFirst = true;
            while (isRunning[0] == 1)
            {
                for (int i = 0; i < 20; i++)
                {
                    communicator.allreduce(small, ReduceOp.MAX);
                    communicator.barrier();
                }
                communicator.allreduce(large, ReduceOp.MAX);
                communicator.broadcast(large, 1);
                isRunning[0] = System.nanoTime() - start < runNs ? 1 : 0;
                communicator.broadcast(isRunning, 0);
                if (isFirst)
                {
                    System.out.println("running " + communicator.rank());
                    isFirst = false;
                }
            }
            System.out.println("closing " + communicator.rank());
        }
    }
}
