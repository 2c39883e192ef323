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

/** Runs every algorithm around the lengths at which it changes behaviour: up to 256 KiB, torture up to 4 MiB. */
class EveryAlgorithmTest
{
    private static final DataType TYPE = DataType.FLOAT32;
    /** A longer message is not sent inline. */
    private static final long INLINE_BYTES = 256;
    /** Many segments of most algorithms, more than fit a window. */
    private static final long LONG_BYTES = 1 << 20;
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    /** Maximum of the lengths at which behaviour changes. */
    private static final long LONGEST_BYTES = IS_TORTURE ? 4 << 20 : 256 << 10;
    /** Number of ranks of given algorithms: not a power of two. */
    private static final int SIZE = 3;
    /** With more ranks than cores, small machines take long. */
    private static final List<Integer> SIZES = IS_TORTURE ? List.of(2, SIZE, 5, 8) : List.of(2, SIZE);

    static Stream<Arguments> algorithms()
    {
        final Stream<Arguments> given = Algorithms.all().stream().map(algorithm -> Arguments.of(
            algorithm.collective(), algorithm.name(),
            algorithm.collective().name().toLowerCase(Locale.ROOT) + ":0-:" + algorithm.name(),
            DefaultTunings.boundaries(algorithm)));
        final Stream<Arguments> byDefault = Stream.of(Collective.values()).map(collective -> Arguments.of(
            collective, "by default", "", DefaultTunings.boundaries(collective)));
        // Given algorithms also run without direct access, in sequence on one communicator.
        return IS_TORTURE ? Stream.concat(given, byDefault).flatMap(EveryAlgorithmTest::inAllSizes) :
            Stream.concat(given.map(arguments -> inSize(arguments, SIZE, "1")),
            byDefault.flatMap(EveryAlgorithmTest::inAllSizes));
    }

    /** Three ranks send work requests, as on an RDMA device. */
    private static Stream<Arguments> inAllSizes(final Arguments arguments)
    {
        return SIZES.stream().map(size -> inSize(arguments, size, size == SIZE ? "0" : "1"));
    }

    private static Arguments inSize(final Arguments arguments, final int size, final String direct)
    {
        return Arguments.of(arguments.get()[0], arguments.get()[1], size,
            Map.of("TUTTI_ALGORITHM", arguments.get()[2], "TUTTI_DIRECT", direct), arguments.get()[3]);
    }

    @ParameterizedTest(name = "{0} {1}, {2} ranks")
    @MethodSource("algorithms")
    void shouldComputeCorrectlyAroundEveryBoundary(
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

    /** Without direct access, as on RDMA devices. */
    @ParameterizedTest
    @ValueSource(strings = {"aab", "aabb"})
    void shouldComputeCorrectlyInSequenceOnOneCommunicator(final String hosts)
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
    void shouldReduceWhenOnlySomeRanksAreInPlace(final int size)
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

    /** A peer may be one call ahead and sends one READY per call; receive requests are reposted in batches. */
    @Test
    void shouldPostReceiveRequestsForTwoCalls()
    {
        assertTrue(2 * (Shapes.QUEUE_DEPTH + 1) <= QueueSizes.RECEIVE_DEPTH / 4 * 3);
    }

    /**
     * Makes a call in place and not.
     *
     * @param communicator communicator to call.
     * @param collective   collective to call.
     * @param count        number of elements of a buffer of floats or longs; of all blocks together for collectives
     *                     with blocks.
     */
    static void check(final Communicator communicator, final Collective collective, final long count)
    {
        check(communicator, collective, count, false);
        if (collective != Collective.BROADCAST && collective != Collective.BARRIER)
        {
            check(communicator, collective, count, true);
        }
    }

    /**
     * Makes a call.
     *
     * @param communicator communicator to call.
     * @param collective   collective to call.
     * @param count        number of elements, as above.
     * @param inPlace      whether to call in place; a broadcast always is.
     */
    static void check(
        final Communicator communicator, final Collective collective, final long count, final boolean inPlace)
    {
        switch (collective)
        {
            case ALLREDUCE ->
                CommunicatorTest.checkAllreduce(communicator, TYPE, ReduceOp.SUM, count, inPlace, count);
            case BROADCAST -> CommunicatorTest.checkBroadcast(
                communicator, TYPE, count, (int)(count % communicator.size()), count);
            case BARRIER -> communicator.barrier();
            default ->
            {
                final int size = communicator.size();
                new CollectiveCase(communicator, collective, (int)(count % size), count)
                    .check(collective.hasBlocks() ? count / size : count, inPlace);
            }
        }
    }

    /**
     * Returns the counts to check. An algorithm begins at a boundary, and a second segment after it; only long tests
     * also try the last count before a boundary.
     */
    private static long[] counts(final Collective collective, final int size, final long[] boundaries)
    {
        final boolean floats = collective == Collective.ALLREDUCE || collective == Collective.BROADCAST;
        final int elementBytes = (floats ? TYPE : DataType.INT64).size();
        // Buffers with blocks have size times as many elements.
        final int step = collective.hasBlocks() ? size : 1;
        return LongStream.concat(
            LongStream.of(0, 1, size - 1, size, size + 1, LONG_BYTES / elementBytes + step),
            LongStream.concat(LongStream.of(INLINE_BYTES), LongStream.of(boundaries))
                .filter(bytes -> bytes <= LONGEST_BYTES)
                .map(bytes -> bytes / elementBytes)
                .flatMap(count -> LongStream.of(IS_TORTURE ? count - step : count, count, count + step)))
            .filter(count -> count >= 0).sorted().distinct().toArray();
    }
}
