/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;

import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SimulatorPropertiesTest
{
    private static final int SEGMENT = 64;

    @Provide
    Arbitrary<Algorithm> algorithms()
    {
        return Arbitraries.of(Algorithms.all());
    }

    @Provide
    Arbitrary<String> topologies()
    {
        return Arbitraries.of("flat", "host", "hosts:2", "fat-tree:6", "fat-tree:4,3", "hosts:3+fat-tree:6,2");
    }

    @Property(tries = 200)
    void shouldBeDeterministic(
        @ForAll("algorithms") final Algorithm algorithm, @ForAll("topologies") final String topology,
        @ForAll @IntRange(min = 1, max = 24) final int size, @ForAll @LongRange(min = 0, max = 2000) final long count,
        @ForAll final long seed)
    {
        final Perturbation perturbation = new Perturbation(Map.of(), 0.2, 3, 0.01, 10_000, seed);
        final SimulatedCall call = Calls.of(algorithm, size, count, SEGMENT, 4);

        assertEquals(
            new Simulator(CostModel.DEFAULT, Topology.parse(topology, size), perturbation).predict(call),
            new Simulator(CostModel.DEFAULT, Topology.parse(topology, size), perturbation).predict(call));
    }

    /** On one switch, without contention in the network, a slower step never makes anything finish earlier. */
    @Property(tries = 300)
    void shouldNotTakeLessTimeWhenStepsAreSlower(
        @ForAll("algorithms") final Algorithm algorithm,
        @ForAll @IntRange(min = 1, max = 24) final int size, @ForAll @LongRange(min = 0, max = 2000) final long count,
        @ForAll("slower") final String value)
    {
        final double now = CostModel.DEFAULT.values().get(value);
        final CostModel slower = CostModel.DEFAULT.with(Map.of(value, 2 * now + 10));
        final SimulatedCall call = Calls.of(algorithm, size, count, SEGMENT, 4);

        final double fast = Calls.simulator(CostModel.DEFAULT, "host", size).full(call).seconds();
        final double slow = Calls.simulator(slower, "host", size).full(call).seconds();

        assertTrue(slow >= fast, () -> slow + " with slower " + value + ", " + fast + " without");
    }

    @Provide
    Arbitrary<String> slower()
    {
        return Arbitraries.of("host.send", "host.receive", "host.latency", "host.byte", "local", "reduce", "copy");
    }

    @Property(tries = 200)
    void shouldNotTakeLessTimeWithSlowRanksOrLosses(
        @ForAll("algorithms") final Algorithm algorithm,
        @ForAll @IntRange(min = 2, max = 24) final int size, @ForAll @LongRange(min = 0, max = 2000) final long count,
        @ForAll @IntRange(min = 0, max = 23) final int slow)
    {
        final SimulatedCall call = Calls.of(algorithm, size, count, SEGMENT, 4);
        final Topology topology = Topology.parse("host", size);

        final double none = new Simulator(CostModel.DEFAULT, topology, Perturbation.NONE).full(call).seconds();
        final double one = new Simulator(CostModel.DEFAULT, topology,
            new Perturbation(Map.of(slow % size, 4.0), 0, 1, 0, 0, 1)).full(call).seconds();
        final double all = new Simulator(CostModel.DEFAULT, topology,
            new Perturbation(Map.of(), 1, 4, 0, 0, 1)).full(call).seconds();

        assertTrue(none <= one && one <= all, () -> none + ", with a slow rank " + one + ", all slow " + all);
    }

    @Property(tries = 100)
    void shouldCountMessagesAndBytesOfSchedules(
        @ForAll("algorithms") final Algorithm algorithm, @ForAll("topologies") final String topology,
        @ForAll @IntRange(min = 1, max = 24) final int size, @ForAll @LongRange(min = 0, max = 2000) final long count)
    {
        final SimulatedCall call = Calls.of(algorithm, size, count, SEGMENT, 4);
        long bytes = 0;
        for (int rank = 0; rank < size; rank++)
        {
            final RankProgram program = RankProgramBuilder.of(call.schedule(rank), rank, size, Calls.ELEMENT, 0);
            for (int step = 0; step < program.steps(); step++)
            {
                bytes += program.kinds[step] == RankProgram.PUT ? program.lengths[step] : 0;
            }
        }

        assertEquals((double)bytes / size,
            Calls.simulator(CostModel.DEFAULT, topology, size).full(call).bytes());
    }
}
