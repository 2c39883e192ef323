/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Connections made on first use, and several communicators at once, on an RDMA device. */
@Tag("soft-roce")
class VerbsSplitTest
{
    /** Longer than an adapter retries to reach a peer that is not ready. */
    private static final long LATE_MS = 3_000;

    @Test
    void shouldConnectToALateRankAndSplit()
    {
        connectAndSplit("verbs");
    }

    /** VerbsEveryAlgorithmTest and VerbsConnectTest connect by disni in every build. */
    @Test
    @Tag("torture")
    void shouldConnectToALateRankAndSplitOverDisni()
    {
        connectAndSplit("disni");
    }

    private static void connectAndSplit(final String transport)
    {
        final Map<String, String> settings = Map.of(
            "TUTTI_TRANSPORT", transport, "TUTTI_SCRATCH", "64K", "TUTTI_ALGORITHM", "allreduce:0-:ring");
        try (Ranks ranks = Ranks.of(Collections.nCopies(4, settings)))
        {
            ranks.run(world ->
            {
                SplitTest.checkAllreduce(world);
                final Communicator copy = world.dup();
                if (world.rank() == 2)
                {
                    Thread.sleep(LATE_MS);
                }
                SplitTest.checkAllreduce(copy);
                final Communicator half = world.split(world.rank() % 2, -world.rank());
                assertEquals(2, half.size());
                final DataBuffer buffer = world.allocate(DataType.FLOAT32, 3_000);
                try (ExecutorService threads = Executors.newFixedThreadPool(2))
                {
                    final List<Future<?>> running = List.of(
                        threads.submit(() -> repeat(copy)), threads.submit(() -> repeat(half)));
                    repeat(world);
                    for (final Future<?> each : running)
                    {
                        each.get();
                    }
                }
                half.allreduce(buffer, ReduceOp.MAX);
                copy.close();
                half.close();
                SplitTest.checkAllreduce(world);
            });
        }
    }

    private static void repeat(final Communicator communicator)
    {
        for (int i = 0; i < 5; i++)
        {
            SplitTest.checkAllreduce(communicator);
        }
    }
}
