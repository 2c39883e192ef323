/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.ConfigurationException;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class AlgorithmSelectorTest
{
    @ParameterizedTest
    @CsvSource({
        "ALLREDUCE, 2, 4, recursive_doubling",
        "ALLREDUCE, 2, 2047, recursive_doubling",
        "ALLREDUCE, 2, 2048, direct",
        "ALLREDUCE, 4, 4096, one_shot",
        "ALLREDUCE, 8, 16384, direct",
        "BROADCAST, 3, 0, binomial",
        "BROADCAST, 3, 1048576, chain",
        "BARRIER, 2, 0, dissemination",
        "BARRIER, 5, 0, all_pairs"})
    void shouldSelectByNumberOfRanksAndLength(
        final Collective collective, final int size, final long bytes, final String algorithm)
    {
        assertEquals(algorithm, AlgorithmSelector.of(null).choose(collective, size, bytes).algorithm().name());
    }

    @Test
    void shouldSelectByPlacementOfRanksOnHosts()
    {
        final AlgorithmSelector selector = AlgorithmSelector.of(null);
        for (final Collective collective : List.of(Collective.ALLREDUCE, Collective.REDUCE_SCATTER))
        {
            final HostMap several = HostMap.of(List.of("a", "b", "a", "b", "a", "b", "a", "b"));
            final Algorithm chosen =
                selector.choose(collective, several, 1 << 18, OperandOrder.ANY).algorithm();

            assertTrue(chosen.usesHosts(), collective + ": " + chosen.name());
            assertSame(chosen, selector.algorithm(collective, several, 1 << 18, OperandOrder.ANY));
            assertFalse(selector.algorithm(collective, HostMap.one(4), 9999, OperandOrder.ANY).usesHosts());
            assertFalse(selector.algorithm(collective, HostMap.inOrder(4, 1), 9999, OperandOrder.ANY).usesHosts());
        }
    }

    @Test
    void shouldSelectAllPairsAlgorithmsOnOneHostOnly()
    {
        final AlgorithmSelector selector = AlgorithmSelector.of(null);

        assertEquals("measured default for 0-16k, from 3 up to 8 ranks",
            selector.choose(Collective.ALLREDUCE, HostMap.one(4), 8, OperandOrder.ANY).reason());
        assertEquals("recursive_doubling",
            selector.choose(Collective.ALLREDUCE, HostMap.inOrder(4, 1), 8, OperandOrder.ANY).algorithm().name());
        assertEquals("hierarchical",
            selector.choose(Collective.BARRIER, HostMap.inOrder(4, 2), 0, OperandOrder.ANY).algorithm().name());
    }

    /** An allreduce has as many chunks as the smallest host has ranks. */
    @Test
    void shouldNotSelectHierarchicalAllreduceWhenOneHostHasFarFewerRanks()
    {
        final AlgorithmSelector selector = AlgorithmSelector.of(null);
        for (long bytes = 1; bytes <= 1 << 30; bytes *= 4)
        {
            assertFalse(selector.algorithm(
                Collective.ALLREDUCE, HostMap.inOrder(9, 8), bytes, OperandOrder.ANY).usesHosts());
        }
    }

    @ParameterizedTest
    @EnumSource(OperandOrder.class)
    void shouldKeepRequiredOrderOnSeveralHosts(final OperandOrder order)
    {
        for (long bytes = 1; bytes < 1 << 24; bytes *= 4)
        {
            assertTrue(order.isKeptBy(AlgorithmSelector.of("allreduce:0-64k:hierarchical")
                .choose(Collective.ALLREDUCE, HostMap.inOrder(5, 2), bytes, order).algorithm()));
        }
    }

    @ParameterizedTest
    @EnumSource(Collective.class)
    void shouldSelectAnAlgorithmForEveryCall(final Collective collective)
    {
        final AlgorithmSelector selector = AlgorithmSelector.of("");
        for (int size = 1; size <= 1 << 20; size = size * 3 / 2 + 1)
        {
            for (long bytes = 0; bytes >= 0; bytes = 2 * bytes + 1)
            {
                final Choice choice = selector.choose(collective, size, bytes);
                assertEquals(collective, choice.algorithm().collective());
                assertTrue(choice.window() <= 8 && choice.window() >= 1);
                if (bytes > Long.MAX_VALUE / 2)
                {
                    break;
                }
            }
        }
    }

    @Test
    void shouldHaveTuningsForAllAlgorithmsAtAllLengths()
    {
        for (final Algorithm algorithm : Algorithms.all())
        {
            final AlgorithmSelector selector = AlgorithmSelector.of(
                algorithm.collective().name().toLowerCase(Locale.ROOT) + ":0-:" + algorithm.name());
            for (long bytes = 0; bytes < 1L << 40; bytes = 2 * bytes + 1)
            {
                assertSame(algorithm, selector.choose(algorithm.collective(), 3, bytes).algorithm());
            }
        }
    }

    @Test
    void shouldUseDefaultTuningWhenAlgorithmHasNone()
    {
        final Algorithm unknown = new Algorithm("my_ring", Collective.ALLREDUCE, request -> null, Set.of());

        final Tuning tuning = Defaults.tuningOf(unknown, 4096);

        assertEquals(64 << 10, tuning.segmentBytes());
        assertEquals(4, tuning.window());
    }

    /** The cost model asks for the tuning of each candidate: also in the first call, before anything is compiled. */
    @Test
    void shouldFindTuningsWithoutAllocation()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final Algorithm[] algorithms =
            Defaults.TUNINGS.stream().map(Tuning::algorithm).distinct().toArray(Algorithm[]::new);
        long least = Long.MAX_VALUE;
        // The first round initializes classes, and the measurement itself.
        for (int round = 0; round < 3; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < algorithms.length; i++)
            {
                Defaults.tuningOf(algorithms[i], 4096);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }

        assertEquals(0, least);
    }

    @Test
    void shouldApplyOverridesBeforeDefaults()
    {
        final AlgorithmSelector selector = AlgorithmSelector.of(
            "allreduce:0-4k:ring,1m-:double_binary_tree; broadcast:0-:chain");

        assertEquals("ring", selector.choose(Collective.ALLREDUCE, 2, 4095).algorithm().name());
        assertEquals("direct", selector.choose(Collective.ALLREDUCE, 2, 32768).algorithm().name());
        assertEquals("one_shot", selector.choose(Collective.ALLREDUCE, 4, 4096).algorithm().name());
        assertEquals("double_binary_tree", selector.choose(Collective.ALLREDUCE, 2, 1 << 20).algorithm().name());
        assertEquals("chain", selector.choose(Collective.BROADCAST, 4, 1).algorithm().name());
        assertEquals("all_pairs", selector.choose(Collective.BARRIER, 4, 0).algorithm().name());
    }

    @Test
    void shouldSkipAlgorithmsThatReadPeersWhenPeerAccessIsUnavailable()
    {
        final AlgorithmSelector selector = AlgorithmSelector.of("allreduce:0-4k:direct");

        for (final long bytes : new long[] {4, 4095})
        {
            assertEquals("direct", selector.choose(Collective.ALLREDUCE, 2, bytes).algorithm().name());
            assertEquals("recursive_doubling",
                selector.withoutPeerAccess().choose(Collective.ALLREDUCE, 2, bytes).algorithm().name());
            assertEquals("recursive_doubling", selector.choose(
                Collective.ALLREDUCE, HostMap.of(List.of("a", "b")), bytes, OperandOrder.ANY).algorithm().name());
        }
        assertEquals("ring",
            selector.withoutPeerAccess().choose(Collective.ALLREDUCE, 2, 1 << 20).algorithm().name());
    }

    @Test
    void shouldExplainTheChoiceForACall()
    {
        assertEquals(
            "allreduce of 67108864 bytes, 8 ranks: direct, segment 262144 bytes, window 4 " +
            "(measured default for 16k-, from 3 up to 8 ranks)",
            AlgorithmSelector.of(null).choose(Collective.ALLREDUCE, 8, 64 << 20).explain(8, 64 << 20));
        assertEquals(
            "broadcast of 1 byte, 1 rank: chain, segment 131072 bytes, window 8 (TUTTI_ALGORITHM for 0-1536)",
            AlgorithmSelector.of("broadcast:0-1536:chain").choose(Collective.BROADCAST, 1, 1).explain(1, 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "ring|\"ring\" must be collective:range:algorithm, such as allreduce:0-4k:recursive_doubling,4k-:ring",
        "allreduce:ring|\"ring\" must be range:algorithm, such as allreduce:0-4k:recursive_doubling,4k-:ring",
        "allreduce:0-:rings|unknown algorithm \"rings\" for allreduce: must be one of ring, double_binary_tree, " +
            "recursive_doubling, rabenseifner, one_shot, two_shot, direct, hierarchical, hierarchical_ring, " +
            "hierarchical_direct, hierarchical_leader",
        "broadcast:0-:ring|unknown algorithm \"ring\" for broadcast: must be one of binomial, knomial_4, " +
            "chain, scatter_allgather, direct, hierarchical",
        "allreduce:4k:ring|\"4k\" is not a byte range: must be such as 0-4k or 4k-",
        "allreduce:0-4q:ring|\"4q\" is not a length: must be a number of bytes with an optional suffix k, m, g or t, " +
            "such as 4k",
        "allreduce:0-9999999999t:ring|\"9999999999t\" is not a length: must be a number of bytes with an optional " +
            "suffix k, m, g or t, such as 4k",
        "allreduce:-4k:ring|\"\" is not a length: must be a number of bytes with an optional suffix k, m, g or t, " +
            "such as 4k",
        "allreduce:4k-4k:ring|\"4k-4k\" is empty: its end must be greater than its start",
        "allreduce:0-4k:ring,2k-:ring|ranges 0-4k and 2k- of allreduce overlap",
        "allreduce:0-4k:ring;|\"\" must be collective:range:algorithm, such as " +
            "allreduce:0-4k:recursive_doubling,4k-:ring"})
    void shouldReportInvalidOverride(final String overrides, final String problem)
    {
        final ConfigurationException thrown =
            assertThrows(ConfigurationException.class, () -> AlgorithmSelector.of(overrides));

        assertEquals("TUTTI_ALGORITHM=\"" + overrides + "\": " + problem, thrown.getMessage());
    }

    @Test
    void shouldListCollectivesWhenCollectiveIsUnknown()
    {
        final ConfigurationException thrown =
            assertThrows(ConfigurationException.class, () -> AlgorithmSelector.of("reduces:0-:ring"));

        assertEquals("TUTTI_ALGORITHM=\"reduces:0-:ring\": unknown collective \"reduces\": must be one of " +
            Arrays.stream(Collective.values()).map(collective -> collective.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")), thrown.getMessage());
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1 << 16})
    void shouldConvertSegmentToElementsInRequest(final long count)
    {
        final Choice choice = AlgorithmSelector.of(null).choose(Collective.ALLREDUCE, 2, count * Double.BYTES);

        final ScheduleRequest request = choice.request(1, 2, count, Double.BYTES, 0, true);

        assertEquals(
            new ScheduleRequest(1, 2, count, 0, true, choice.segmentBytes() / Double.BYTES, choice.window()), request);
    }
}
