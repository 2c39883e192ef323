/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Two ranks that reduce to rank 0. In the last call rank 1 times out and closes: a target for {@link StoppedRankTest},
 * which stops rank 0 during that call.
 */
public final class StoppedRankTarget
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(60);

    private StoppedRankTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments directory in which the test creates a file for each rank that may make its last call, and rank 0
     *                  a file with its outcome.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final Path directory = Path.of(arguments[0]);
        final Communicator communicator = Communicator.world();
        final int rank = communicator.rank();
        final DataBuffer input = communicator.allocate(DataType.FLOAT64, 1);
        final DataBuffer output = communicator.allocate(DataType.FLOAT64, 1);
        input.segment().set(ValueLayout.JAVA_DOUBLE, 0, rank + 1);
        communicator.reduce(input, output, ReduceOp.SUM, 0);
        communicator.barrier();
        System.out.println("ready " + rank);
        await(directory.resolve("go-" + rank));
        if (rank == 1)
        {
            try
            {
                communicator.withTimeout(Duration.ofMillis(1)).reduce(input, output, ReduceOp.SUM, 0);
            }
            catch (final CollectiveTimeoutException e)
            {
                System.out.println("gave up");
            }
            communicator.close();
            System.out.println("closed");
            return;
        }
        Files.writeString(directory.resolve("outcome.tmp"), reduce(communicator, input, output));
        Files.move(directory.resolve("outcome.tmp"), directory.resolve("outcome"));
        communicator.close();
    }

    private static String reduce(final Communicator communicator, final DataBuffer input, final DataBuffer output)
    {
        try
        {
            communicator.reduce(input, output, ReduceOp.SUM, 0);
            return "result " + output.segment().get(ValueLayout.JAVA_DOUBLE, 0);
        }
        catch (final CollectiveException e)
        {
            return "error " + e.getMessage();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Sleeping would leave time for a failure message to arrive.
    private static void await(final Path file)
    {
        final long startNs = System.nanoTime();
        while (!Files.exists(file))
        {
            if (System.nanoTime() - startNs > WAIT_NS)
            {
                throw new IllegalStateException(file + " was not created");
            }
            Thread.yield();
        }
    }
}
