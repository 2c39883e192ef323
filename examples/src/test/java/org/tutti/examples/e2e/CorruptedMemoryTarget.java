/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Window;
import org.tutti.rdma.RdmaException;

import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Two ranks that make calls of all kinds until a file appears or a call fails: a target for
 * {@link CorruptedMemoryTest}, which writes to their shared memory.
 */
public final class CorruptedMemoryTarget
{
    private static final int[] COUNTS = {1, 100, 3_000, 100_000};
    private static final int LONGEST = 100_000;

    private final Communicator communicator;
    private final DataBuffer input;
    private final DataBuffer output;
    private final Window window;
    private final int rank;
    private final boolean checks;
    private double expected;

    private CorruptedMemoryTarget(final Communicator communicator, final boolean checks)
    {
        this.communicator = communicator;
        this.checks = checks;
        rank = communicator.rank();
        input = communicator.allocate(DataType.FLOAT64, LONGEST);
        output = communicator.allocate(DataType.FLOAT64, LONGEST);
        window = communicator.window(output);
    }

    /**
     * Runs a rank.
     *
     * @param arguments name of the file that ends the run, and {@code true} if results must be correct.
     */
    public static void main(final String[] arguments)
    {
        String outcome = "right";
        try (Communicator communicator = Communicator.world())
        {
            try
            {
                new CorruptedMemoryTarget(communicator, Boolean.parseBoolean(arguments[1]))
                    .run(Path.of(arguments[0]));
            }
            catch (final CollectiveException | RdmaException | OwnAccess e)
            {
                outcome = "error " + e;
            }
        }
        catch (final CollectiveException | RdmaException | IllegalStateException e)
        {
            outcome = outcome.equals("right") ? "error " + e : outcome;
        }
        System.out.println(outcome);
    }

    private void run(final Path end)
    {
        boolean isEnding = false;
        for (int round = 0; !isEnding; round++)
        {
            for (final int count : COUNTS)
            {
                calls(round, count);
            }
            if (round == 0)
            {
                System.out.println("started");
            }
            final int[] endFlag = {rank == 0 && Files.exists(end) ? 1 : 0};
            communicator.allreduce(endFlag, ReduceOp.MAX);
            isEnding = endFlag[0] > 0;
        }
        window.close();
    }

    private void calls(final int round, final int count)
    {
        try (DataBuffer in = input.slice(0, count); DataBuffer out = output.slice(0, count))
        {
            fill(in, round + rank);
            communicator.allreduce(in, out, ReduceOp.SUM);
            expected = 2 * round + 1;
            check(out, "allreduce");
            communicator.reduce(in, out, ReduceOp.SUM, 1);
            if (rank == 1)
            {
                check(out, "reduce");
            }
            fill(out, rank == 0 ? round : -1);
            communicator.broadcast(out, 0);
            expected = round;
            check(out, "broadcast");
            communicator.sendrecv(in, 1 - rank, out, 1 - rank);
            expected = round + 1 - rank;
            check(out, "sendrecv");
            communicator.barrier();
            window.put(in, 0, count, 1 - rank, 0);
            window.flush(1 - rank);
            communicator.barrier();
            check(out, "put");
            communicator.barrier();
        }
    }

    /** Thrown if the program itself accesses truncated memory. */
    private static final class OwnAccess extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        OwnAccess(final InternalError cause)
        {
            super(cause);
        }
    }

    private static void fill(final DataBuffer buffer, final double value)
    {
        try
        {
            for (long i = 0; i < buffer.count(); i++)
            {
                buffer.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
            }
        }
        catch (final InternalError e)
        {
            throw new OwnAccess(e);
        }
    }

    private void check(final DataBuffer buffer, final String call)
    {
        try
        {
            compare(buffer, call);
        }
        catch (final InternalError e)
        {
            throw new OwnAccess(e);
        }
    }

    private void compare(final DataBuffer buffer, final String call)
    {
        for (long i = 0; checks && i < buffer.count(); i++)
        {
            final double value = buffer.segment().getAtIndex(ValueLayout.JAVA_DOUBLE, i);
            if (value != expected)
            {
                System.out.println("wrong " + call + ", element " + i + ": " + value + " instead of " + expected);
                System.exit(3);
            }
        }
    }
}
