/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstraps;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.util.Map;

/** A rank in a separate process that joins several jobs in sequence. */
public final class SuccessiveJobsRank
{
    private SuccessiveJobsRank()
    {
    }

    /**
     * Prints the sum of the rank numbers plus one, once per job.
     *
     * @param arguments rank, size, and the coordinator's port of each job.
     */
    public static void main(final String[] arguments)
    {
        for (int job = 2; job < arguments.length; job++)
        {
            final Map<String, String> environment = Map.of(
                "RANK", arguments[0],
                "WORLD_SIZE", arguments[1],
                "MASTER_ADDR", "127.0.0.1",
                "MASTER_PORT", arguments[job]);
            try (Communicator communicator = Communicators.connect(Bootstraps.fromEnvironment(environment)))
            {
                final int[] values = {communicator.rank() + 1};
                communicator.allreduce(values, ReduceOp.SUM);
                System.out.println(values[0]);
            }
        }
    }
}
