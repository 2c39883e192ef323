/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rank of very many generates its schedule in memory that grows with the logarithm of their number, if that. */
class ScheduleMemoryTest
{
    private static final int SIZE = 1 << 20;
    private static final int MAX_STEPS = 10 * 20;
    private static final long MAX_BYTES = 128 << 10;

    @ParameterizedTest
    @CsvSource({
        "ALLREDUCE, recursive_doubling", "ALLREDUCE, rabenseifner", "ALLREDUCE, double_binary_tree",
        "BROADCAST, binomial", "BROADCAST, knomial_4", "BROADCAST, chain", "BARRIER, dissemination",
        "REDUCE, binomial", "REDUCE, knomial_4", "REDUCE, chain", "REDUCE, in_order_tree", "REDUCE, in_order_binomial",
        "GATHER, binomial", "SCATTER, binomial", "ALLGATHER, bruck", "SCAN, recursive_doubling", "SCAN, chain"})
    void shouldNeedLittleMemoryPerRank(final Collective collective, final String name)
    {
        final Algorithm algorithm = Algorithms.named(collective, name);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final int[] ranks = IntStream.concat(IntStream.of(0, 1, SIZE / 2, SIZE - 1),
            new SplittableRandom(SIZE).ints(8, 0, SIZE)).toArray();
        // Loads the classes.
        algorithm.generate(request(1, 0));

        for (final int rank : ranks)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            final Schedule schedule = algorithm.generate(request(SIZE, rank));
            final long bytes = threads.getCurrentThreadAllocatedBytes() - before;

            assertTrue(schedule.stepCount() <= MAX_STEPS,
                () -> "rank " + rank + " has " + schedule.stepCount() + " steps");
            assertTrue(bytes <= MAX_BYTES, () -> "rank " + rank + " allocates " + bytes + " bytes");
        }
    }

    private static ScheduleRequest request(final int size, final int rank)
    {
        return new ScheduleRequest(rank, size, 4, 0, false, 4, 2);
    }
}
