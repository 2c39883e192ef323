/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks with the names of several hosts, all in this process. */
class HierarchicalTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final long[] COUNTS = {0, 1, 7, 1000, 20_000, IS_TORTURE ? 400_000 : 100_000};

    static Ranks ranks(final String hosts, final Map<String, String> settings)
    {
        return Ranks.of(Arrays.stream(hosts.split("")).map(host ->
        {
            final Map<String, String> environment = new HashMap<>(settings);
            environment.put("TUTTI_HOST", host);
            return environment;
        }).toList());
    }

    static List<String> hosts()
    {
        return IS_TORTURE ?
            List.of("aabb", "abab", "aaab", "aabbc", "abc", "abbabaab") : List.of("abab", "aabbc");
    }

    @ParameterizedTest
    @MethodSource("hosts")
    void shouldComputeCorrectlyForAnyPlacementOfRanks(final String hosts)
    {
        try (Ranks ranks = ranks(hosts, Map.of()))
        {
            ranks.run(HierarchicalTest::checkAll);
        }
    }

    @Test
    void shouldComputeCorrectlyAtAnyLengthWhenRequested()
    {
        try (Ranks ranks = ranks("aaabb", Map.of("TUTTI_ALGORITHM", "allreduce:0-:hierarchical;" +
            "broadcast:0-:hierarchical;reduce:0-:hierarchical;allgather:0-:hierarchical;" +
            "reduce_scatter:0-:hierarchical;gather:0-:hierarchical;scatter:0-:hierarchical;" +
            "alltoall:0-:hierarchical;scan:0-:hierarchical;exscan:0-:hierarchical")))
        {
            ranks.run(HierarchicalTest::checkAll);
        }
        try (Ranks ranks = ranks("abbab", Map.of("TUTTI_ALGORITHM", "allreduce:0-:hierarchical_leader")))
        {
            ranks.run(HierarchicalTest::checkAll);
        }
        try (Ranks ranks = ranks("aabbc", Map.of("TUTTI_ALGORITHM",
            "allreduce:0-:hierarchical_ring;barrier:0-:hierarchical")))
        {
            ranks.run(HierarchicalTest::checkAll);
        }
    }

    private static void checkAll(final Communicator communicator)
    {
        checkAll(communicator, COUNTS);
    }

    static void checkAll(final Communicator communicator, final long[] counts)
    {
        for (final long count : counts)
        {
            CommunicatorTest.checkAllreduce(communicator, DataType.FLOAT32, ReduceOp.SUM, count, true, count);
            CommunicatorTest.checkAllreduce(communicator, DataType.FLOAT64, ReduceOp.AVG, count, false, count);
            communicator.barrier();
            final int root = (int)(count % communicator.size());
            CommunicatorTest.checkBroadcast(communicator, DataType.FLOAT32, count, root, count);
            for (final Collective collective : List.of(
                Collective.REDUCE, Collective.ALLGATHER, Collective.REDUCE_SCATTER, Collective.GATHER,
                Collective.SCATTER, Collective.ALLTOALL, Collective.SCAN, Collective.EXSCAN))
            {
                final CollectiveCase aCase = new CollectiveCase(communicator, collective, root, count);
                final long length = collective.hasBlocks() ? count / communicator.size() : count;
                aCase.check(length, false);
                aCase.check(length, true);
            }
        }
    }

    @Test
    void shouldIdentifyHostsByName()
    {
        try (Ranks ranks = ranks("xyxzy", Map.of()))
        {
            assertEquals("hosts 0 1 0 2 1", ranks.team(3).hosts().toString());
            ranks.run(world ->
            {
                try (Communicator host = world.splitByHost())
                {
                    assertEquals(world.rank() == 3 ? 1 : 2, host.size());
                }
            });
        }
    }

    @Test
    void shouldLeaveTheSameBitsOnAllRanks()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        try (Ranks ranks = ranks("aababb", Map.of()))
        {
            for (final int count : new int[] {5, 3000, 50_000})
            {
                final float[][] results = new float[6][];
                ranks.run(communicator -> results[communicator.rank()] = sum(communicator, seed, count));

                for (final float[] result : results)
                {
                    assertTrue(Arrays.equals(results[0], result), "seed=" + seed + " count=" + count);
                }
            }
        }
    }

    @Test
    void shouldReproduceTheBitsOfOneHost()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Map<String, String> reproducible = Map.of("TUTTI_REPRODUCIBLE", "1");
        final float[][] results = new float[2][];
        for (int i = 0; i < 2; i++)
        {
            final int run = i;
            try (Ranks ranks = ranks(i == 0 ? "aaaaa" : "abaab", reproducible))
            {
                ranks.run(communicator ->
                {
                    final float[] sums = sum(communicator, seed, 3000);
                    if (communicator.rank() == 4)
                    {
                        results[run] = sums;
                    }
                });
            }
        }

        assertTrue(Arrays.equals(results[0], results[1]), "seed=" + seed);
    }

    private static float[] sum(final Communicator communicator, final long seed, final int count)
    {
        final Random random = new Random(seed + communicator.rank());
        final float[] sums = new float[count];
        try (DataBuffer buffer = communicator.allocate(DataType.FLOAT32, count))
        {
            for (int i = 0; i < count; i++)
            {
                final float value = random.nextFloat();
                buffer.segment().set(JAVA_FLOAT_UNALIGNED, 4L * i, value * value * value);
            }
            communicator.allreduce(buffer, buffer, ReduceOp.SUM);
            for (int i = 0; i < count; i++)
            {
                sums[i] = buffer.segment().get(JAVA_FLOAT_UNALIGNED, 4L * i);
            }
        }
        return sums;
    }

    @Test
    void shouldReduceInRankOrderWhenTheOperationIsNonCommutative()
    {
        try (Ranks ranks = ranks("abab", Map.of()))
        {
            RankOrderTest.shouldReduceInRankOrder(ranks, 4);
        }
    }
}
