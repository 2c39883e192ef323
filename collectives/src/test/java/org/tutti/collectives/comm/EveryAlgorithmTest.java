/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.check.Shapes;
import org.tutti.collectives.device.QueueSizes;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.DefaultTunings;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Runs every algorithm around the lengths where something changes in it: up to 256 KiB, at length up to 4 MiB. */
class EveryAlgorithmTest
{
    private static final DataType TYPE = DataType.FLOAT32;
    /** A longer one is not kept in the request itself. */
    private static final long INLINE_BYTES = 256;
    /** Many segments of most algorithms, more than a window of them. */
    private static final long LONG_BYTES = 1 << 20;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** Of the lengths around which something changes. */
    private static final long LONGEST_BYTES = IS_TORTURE ? 4 << 20 : 256 << 10;
    /** More ranks than a small machine has cores take turns, and long for it. */
    private static final List<Integer> SIZES = IS_TORTURE ? List.of(2, 3, 5, 8) : List.of(2, 3);

    static Stream<Arguments> algorithms()
    {
        return Stream.concat(
            Algorithms.all().stream().map(algorithm -> Arguments.of(
                algorithm.collective(), algorithm.name(),
                algorithm.collective().name().toLowerCase(Locale.ROOT) + ":0-:" + algorithm.name(),
                DefaultTunings.boundaries(algorithm))),
            Stream.of(Collective.values()).map(collective -> Arguments.of(
                collective, "by default", "", DefaultTunings.boundaries(collective))))
            // Three ranks send work requests, as on an RDMA device.
            .flatMap(arguments -> SIZES.stream().map(size -> Arguments.of(
                arguments.get()[0], arguments.get()[1], size,
                Map.of("TUTTI_ALGORITHM", arguments.get()[2], "TUTTI_DIRECT", size == 3 ? "0" : "1"),
                arguments.get()[3])));
    }

    @ParameterizedTest(name = "{0} {1}, {2} ranks")
    @MethodSource("algorithms")
    void shouldBeRightAroundEveryBoundary(
        final Collective collective, final String name, final int size, final Map<String, String> environment,
        final long[] boundaries)
    {
        try (Ranks ranks = new Ranks(size, environment))
        {
            ranks.run(communicator ->
            {
                for (final long count : counts(collective, size, boundaries))
                {
                    check(communicator, collective, count);
                }
            });
        }
    }

    /** As on RDMA devices, where ranks of one host do not store into one another's memory either. */
    @ParameterizedTest
    @ValueSource(strings = {"aab", "aabb"})
    void shouldBeRightAfterOneAnotherOnOneCommunicator(final String hosts)
    {
        final Map<String, String> settings = AllAlgorithms.settings("shm");
        settings.put("TUTTI_DIRECT", "0");
        try (Ranks ranks = HierarchicalTest.ranks(hosts, settings))
        {
            AllAlgorithms.check(ranks, settings);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldReduceInPlaceOnSomeRanksOnly(final int size)
    {
        for (final String algorithm : List.of("ring", "double_binary_tree", "recursive_doubling", "direct"))
        {
            try (Ranks ranks = new Ranks(size, Map.of("TUTTI_ALGORITHM", "allreduce:0-:" + algorithm)))
            {
                ranks.run(communicator ->
                {
                    for (final long count : new long[] {1, size, 1000, 100_000})
                    {
                        CommunicatorTest.checkAllreduce(
                            communicator, TYPE, ReduceOp.SUM, count, communicator.rank() % 2 == 0, count);
                    }
                });
            }
        }
    }

    /** A peer may be a call ahead, and says once per call that it is ready; requests are posted again in batches. */
    @Test
    void shouldPostAsManyReceiveRequestsAsTwoCallsCanUse()
    {
        assertTrue(2 * (Shapes.QUEUE_DEPTH + 1) <= QueueSizes.RECEIVE_DEPTH / 4 * 3);
    }

    /**
     * A call in both ways.
     *
     * @param count elements of a buffer of floats, or of longs; of all blocks together where there are blocks.
     */
    static void check(final Communicator communicator, final Collective collective, final long count)
    {
        switch (collective)
        {
            case ALLREDUCE ->
            {
                CommunicatorTest.checkAllreduce(communicator, TYPE, ReduceOp.SUM, count, true, count);
                CommunicatorTest.checkAllreduce(communicator, TYPE, ReduceOp.SUM, count, false, count);
            }
            case BROADCAST -> CommunicatorTest.checkBroadcast(
                communicator, TYPE, count, (int)(count % communicator.size()), count);
            case BARRIER -> communicator.barrier();
            default ->
            {
                final int size = communicator.size();
                final boolean blocks = collective.hasBlocks();
                final CollectiveCase aCase = new CollectiveCase(communicator, collective, (int)(count % size), count);
                aCase.check(blocks ? count / size : count, false);
                aCase.check(blocks ? count / size : count, true);
            }
        }
    }

    private static long[] counts(final Collective collective, final int size, final long[] boundaries)
    {
        final boolean floats = collective == Collective.ALLREDUCE || collective == Collective.BROADCAST;
        final int elementBytes = (floats ? TYPE : DataType.INT64).size();
        // Buffers of blocks have as many more elements as there are ranks.
        final int step = collective.hasBlocks() ? size : 1;
        return LongStream.concat(
            LongStream.of(0, 1, size - 1, size, size + 1, LONG_BYTES / elementBytes + step),
            LongStream.concat(LongStream.of(INLINE_BYTES), LongStream.of(boundaries))
                .filter(bytes -> bytes <= LONGEST_BYTES)
                .map(bytes -> bytes / elementBytes)
                .flatMap(count -> LongStream.of(count - step, count, count + step)))
            .filter(count -> count >= 0).sorted().distinct().toArray();
    }
}
