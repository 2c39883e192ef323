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

/** The smallest job: all ranks meet, say who they are, and add something together. */
@Command(name = "hello", mixinStandardHelpOptions = true,
    description = "Every rank says hello, and all of them add up their ranks.")
public final class HelloJob implements JobCommand
{
    /** For the launcher. */
    public HelloJob()
    {
    }

    @Override
    public boolean takesWords()
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

            // Nobody passes before everybody is here.
            world.barrier();

            // Before: each rank has its own number. After: every rank has the sum.
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
