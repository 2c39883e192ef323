/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.bootstrap.Bootstraps;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.util.Map;

/** A rank in a process of its own, which joins one job after the other. */
public final class SuccessiveJobsRank
{
    private SuccessiveJobsRank()
    {
    }

    /**
     * Prints the sum of the ranks' numbers, one to size, once per job.
     *
     * @param arguments the rank, the size, and for each job the port of its coordinator.
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
