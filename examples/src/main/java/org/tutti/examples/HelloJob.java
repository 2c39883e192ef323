/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;
import org.tutti.launcher.JobCommand;
import picocli.CommandLine.Command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The smallest job: all ranks join, print a line each, and sum up their ranks. */
@Command(name = "hello", mixinStandardHelpOptions = true,
    description = "Prints a line per rank and sums up the ranks.")
public final class HelloJob implements JobCommand
{
    /** Required by {@link java.util.ServiceLoader}. */
    public HelloJob()
    {
    }

    @Override
    public boolean hasArguments()
    {
        return false;
    }

    @Override
    public Integer call() throws IOException
    {
        final String host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();

        try (Communicator world = Communicator.world())
        {
            System.out.println("hello from rank " + world.rank() + " of " + world.size() + " on " + host +
                " (pid " + ProcessHandle.current().pid() + ")");

            // No rank leaves the barrier before all ranks have entered it.
            world.barrier();

            // Before the call, each rank has its own number; after it, every rank has the sum.
            final int[] sum = {world.rank()};
            world.allreduce(sum, ReduceOp.SUM);

            if (world.rank() == 0)
            {
                System.out.println("together over " + world.transport() + ": the ranks sum up to " + sum[0]);
            }
        }
        return 0;
    }
}
