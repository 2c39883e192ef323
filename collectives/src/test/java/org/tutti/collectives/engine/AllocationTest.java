/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.management.ManagementFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;

class AllocationTest
{
    private static final int WARM_UP = 5_000;
    private static final int WINDOWS = 20;
    private static final int ROUNDS = 200;

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, 100_000})
    void shouldAllocateNothingPerCall(final int count)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, count);
                call(communicator, buffer, count > 10_000 ? WARM_UP / 5 : WARM_UP);
                long least = Long.MAX_VALUE;
                for (int window = 0; window < WINDOWS; window++)
                {
                    final long before = threads.getCurrentThreadAllocatedBytes();
                    call(communicator, buffer, ROUNDS);
                    least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
                }

                // A call that allocates does so in every window; a first sleep, not yet compiled, only in some.
                assertEquals(0, least);
            });
        }
    }

    private static void call(final Communicator communicator, final DataBuffer buffer, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            communicator.allreduce(buffer, ReduceOp.MAX);
            communicator.broadcast(buffer, 1);
            communicator.barrier();
        }
    }
}
