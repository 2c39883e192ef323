/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Representative ranks give, to the picosecond, the same result as the simulation of all ranks. */
class SymmetryTest
{
    private static final List<String> TOPOLOGIES = List.of(
        "flat", "hosts:2", "hosts:3", "fat-tree:6", "fat-tree:8,3", "fat-tree:6,2", "hosts:2+fat-tree:4,3", "host");
    private static final List<Integer> SIZES = Boolean.getBoolean("tutti.test.torture") ?
        IntStream.concat(IntStream.range(2, 18), IntStream.iterate(18, (size) -> size <= 48, (size) -> size + 6))
            .boxed().toList() : List.of(2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24);

    static Stream<Algorithm> algorithms()
    {
        return Algorithms.all().stream();
    }

    /** Counts for collectives with whole buffers, which ranks divide, or with a block per rank. */
    private static long[] counts(final Algorithm algorithm, final int size)
    {
        return algorithm.collective().hasBlocks() ? new long[] {0, 7, 1, 150} :
            new long[] {0, 1, size, 7L * size, 1000L * size};
    }

    @Test
    void shouldDistinguishCollectivesWithEqualAlgorithmNames()
    {
        final Simulator simulator = Calls.simulator(CostModel.DEFAULT, "flat", 8);
        final SimulatedCall allreduce = Calls.of(Collective.ALLREDUCE, "ring", 8, 800, 100, 4);
        final SimulatedCall allgather = Calls.of(Collective.ALLGATHER, "ring", 8, 800, 100, 4);

        assertEquals(simulator.full(allreduce), simulator.knownFull(allreduce));
        assertEquals(simulator.full(allgather), simulator.knownFull(allgather));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    @Tag("torture")
    void shouldMatchFullSimulation(final Algorithm algorithm)
    {
        final List<String> wrong = new ArrayList<>();
        for (final int size : SIZES)
        {
            for (final String topology : TOPOLOGIES)
            {
                final Simulator simulator = Calls.simulator(CostModel.DEFAULT, topology, size);
                for (final long count : counts(algorithm, size))
                {
                    for (final int window : new int[] {1, 2, 4})
                    {
                        final SimulatedCall call = Calls.of(algorithm, size, count, 64, window);
                        final Prediction symmetric = simulator.symmetric(call);
                        if (symmetric != null && symmetric.seconds() != simulator.full(call).seconds())
                        {
                            wrong.add(topology + " of " + size + " ranks, " + count + " elements, window " + window +
                                ": " + symmetric.seconds() + ", not " + simulator.full(call).seconds());
                        }
                    }
                }
            }
        }

        assertEquals("", String.join("\n", wrong));
    }

    @Test
    void shouldSimulateOneRankOfRingAndOneSwitchOfFatTree()
    {
        final SimulatedCall call = Calls.of(Collective.ALLREDUCE, "ring", 32, 3200, 64, 4);

        assertEquals(1, Calls.simulator(CostModel.DEFAULT, "flat", 32).symmetric(call).simulatedRanks());
        // A pod has eight hosts and four switches.
        assertEquals(4, Calls.simulator(CostModel.DEFAULT, "fat-tree:8", 32).symmetric(call).simulatedRanks());
        assertEquals(2, Calls.simulator(CostModel.DEFAULT, "hosts:2", 32).symmetric(call).simulatedRanks());
    }

    @Test
    void shouldSimulateOneRankOfExchangesBetweenPairs()
    {
        for (final String name : List.of("recursive_doubling", "rabenseifner"))
        {
            for (final String topology : List.of("flat", "host"))
            {
                final SimulatedCall call = Calls.of(Collective.ALLREDUCE, name, 64, 6400, 1600, 2);
                final Simulator simulator = Calls.simulator(CostModel.DEFAULT, topology, 64);

                final Prediction alike = simulator.alike(call);

                assertNotNull(alike, name + " on " + topology);
                assertEquals(1, alike.simulatedRanks());
                assertEquals(simulator.full(call).seconds(), alike.seconds());
            }
        }
    }

    @Test
    void shouldNotSimulateOneRankWhenRanksOrNetworksDiffer()
    {
        final SimulatedCall call = Calls.of(Collective.ALLREDUCE, "recursive_doubling", 16, 1600, 64, 2);
        final SimulatedCall extras = Calls.of(Collective.ALLREDUCE, "recursive_doubling", 18, 1600, 64, 2);

        assertNotNull(Calls.simulator(CostModel.DEFAULT, "flat", 16).alike(call));
        assertNull(Calls.simulator(CostModel.DEFAULT, "fat-tree:8", 16).alike(call), "paths of different lengths");
        assertNull(Calls.simulator(CostModel.DEFAULT, "hosts:4", 16).alike(call), "peers on one host and on others");
        assertNull(Calls.simulator(CostModel.DEFAULT, "flat", 18).alike(extras), "ranks with an extra");
        assertNull(new Simulator(CostModel.DEFAULT, Topology.parse("flat", 16),
            new Perturbation(Map.of(3, 2.0), 0, 1, 0, 0, 1)).alike(call), "a slow rank");
        // Posting takes no time, so that a rank posts all messages at once, ordered by the distances of their peers.
        assertNull(Calls.simulator(Calls.ALPHA_BETA, "flat", 8).alike(
            Calls.of(Collective.ALLGATHER, "all_pairs", 8, 100, 100, 2)), "messages at the same time");
    }

    @Test
    void shouldNotReduceRanksWhenTheyDiffer()
    {
        final Simulator flat = Calls.simulator(CostModel.DEFAULT, "flat", 16);
        final Simulator slow = new Simulator(CostModel.DEFAULT, Topology.parse("flat", 16),
            new Perturbation(Map.of(3, 2.0), 0, 1, 0, 0, 1));
        final SimulatedCall even = Calls.of(Collective.ALLREDUCE, "ring", 16, 1600, 64, 4);

        assertNull(flat.symmetric(Calls.of(Collective.ALLREDUCE, "ring", 16, 1601, 64, 4)), "uneven parts");
        assertNull(flat.symmetric(Calls.of(Collective.ALLREDUCE, "double_binary_tree", 16, 1600, 64, 4)), "a root");
        assertNull(slow.symmetric(even), "a slow rank");
        assertNull(Calls.simulator(CostModel.DEFAULT, "hosts:3", 16).symmetric(even), "a host with fewer ranks");
        assertNotNull(flat.symmetric(even));
    }

    /** Sampling of ranks assumes this for all ranks of small calls. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("algorithms")
    void shouldFindAllRanksEqualWhenSamplesAreEqual(final Algorithm algorithm)
    {
        for (final int size : new int[] {65, 96, 128})
        {
            for (final long count : new long[] {1, 4})
            {
                final SimulatedCall call = Calls.of(algorithm, size, count * counts(algorithm, size)[2], 2, 4);
                if (Calls.simulator(CostModel.DEFAULT, "flat", size).symmetric(call) != null)
                {
                    final RankProgram first = RankProgramBuilder.of(call.schedule(0), 0, size, Calls.ELEMENT, 256);
                    assertTrue(IntStream.range(0, size).allMatch((rank) ->
                        RankProgramBuilder.of(call.schedule(rank), rank, size, Calls.ELEMENT, 256).equals(first)));
                }
            }
        }
    }
}
