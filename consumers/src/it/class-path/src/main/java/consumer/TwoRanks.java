/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package consumer;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorOptions;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.JoinOptions;
import org.tutti.collectives.ReduceOp;

import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A job of two processes: this one, and one that it starts with its own command line. */
public final class TwoRanks
{
    private static final int LENGTH = 1_000_000;

    private TwoRanks()
    {
    }

    public static void main(final String[] args) throws Exception
    {
        if (args.length == 0)
        {
            drive();
        }
        else
        {
            join(1, args[0], new String(System.in.readAllBytes()));
        }
    }

    private static void drive() throws Exception
    {
        try (Coordinator coordinator = Coordinator.start(CoordinatorOptions.ofSize(2)))
        {
            final ProcessHandle.Info own = ProcessHandle.current().info();
            final List<String> command = new ArrayList<>(List.of(own.command().orElseThrow()));
            command.addAll(Arrays.asList(own.arguments().orElseThrow()));
            command.add(coordinator.address());
            final Process other = new ProcessBuilder(command).redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT).start();
            try
            {
                // Not on the command line, which other users can read.
                try (var secret = other.outputWriter())
                {
                    secret.write(coordinator.secret());
                }
                join(0, coordinator.address(), coordinator.secret());
                if (!other.waitFor(1, TimeUnit.MINUTES) || other.exitValue() != 0)
                {
                    throw new IllegalStateException("rank 1 failed: " + other);
                }
            }
            finally
            {
                other.destroyForcibly();
            }
        }
    }

    private static void join(final int rank, final String address, final String secret)
    {
        final JoinOptions options = JoinOptions.of(rank, 2).coordinator(address).secret(secret);
        try (Communicator communicator = Communicator.join(options))
        {
            final double[] values = new double[LENGTH];
            Arrays.fill(values, communicator.rank() + 1);
            communicator.allreduce(values, ReduceOp.SUM);
            final DoubleSummaryStatistics sums = Arrays.stream(values).summaryStatistics();
            System.out.println("rank " + communicator.rank() + ": " + sums.getMin() + " to " + sums.getMax());
        }
    }
}
