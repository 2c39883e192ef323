/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A rank that reduces short and long buffers and checks all results until a file exists: a target for
 * {@link HostsTest} and {@link HostFaultsTest}.
 */
public final class FaultTarget
{
    private FaultTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments file whose existence ends the run, number of elements of 8 bytes.
     */
    public static void main(final String[] arguments)
    {
        final Path end = Path.of(arguments[0]);
        try (Communicator world = Communicator.world();
            DataBuffer buffer = world.allocate(DataType.INT64, Long.parseLong(arguments[1])))
        {
            final int rank = world.rank();
            final long[] isEnd = {0};
            for (long round = 0; isEnd[0] == 0; round++)
            {
                reduce(world, buffer, round);
                isEnd[0] = Files.exists(end) ? 1 : 0;
                world.allreduce(isEnd, ReduceOp.MAX);
                if (round == 1)
                {
                    System.out.println("running " + rank);
                }
            }
            System.out.println("correct " + rank);
        }
    }

    private static void reduce(final Communicator world, final DataBuffer buffer, final long round)
    {
        final MemorySegment memory = buffer.segment();
        final int size = world.size();
        final long count = buffer.count();
        for (long i = 0; i < count; i++)
        {
            memory.setAtIndex(ValueLayout.JAVA_LONG, i, round * i + world.rank());
        }
        world.allreduce(buffer, ReduceOp.SUM);
        for (long i = 0; i < count; i++)
        {
            final long expected = size * round * i + size * (size - 1L) / 2;
            final long actual = memory.getAtIndex(ValueLayout.JAVA_LONG, i);
            if (actual != expected)
            {
                throw new IllegalStateException(
                    "element " + i + " of round " + round + " is wrong: " + actual + " != " + expected);
            }
        }
    }
}
