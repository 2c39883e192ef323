/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.bootstrap.FileBootstrap;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.nio.file.Path;
import java.util.Map;

/** A rank in a process of its own, which joins one job after the other through files. */
public final class FileRank
{
    private FileRank()
    {
    }

    /**
     * Prints the sum of the ranks' numbers, one to size, once per job.
     *
     * @param arguments the rank, the size, a prefix of job names, and the jobs' directories.
     */
    public static void main(final String[] arguments)
    {
        for (int job = 3; job < arguments.length; job++)
        {
            final FileBootstrap bootstrap = new FileBootstrap(Path.of(arguments[job]), JobEnvironment.read(Map.of(
                "RANK", arguments[0],
                "WORLD_SIZE", arguments[1],
                "LOCAL_RANK", arguments[0],
                "LOCAL_WORLD_SIZE", arguments[1],
                "TUTTI_JOB_ID", arguments[2] + job)));
            try (Communicator communicator = Communicators.connect(bootstrap))
            {
                final int[] values = {communicator.rank() + 1};
                communicator.allreduce(values, ReduceOp.SUM);
                System.out.println(values[0]);
            }
        }
    }
}
