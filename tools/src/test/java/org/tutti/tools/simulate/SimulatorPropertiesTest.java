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
import org.tutti.collectives.select.model.WireKind;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Algorithm;

import java.util.Arrays;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
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

    /** One rank that represents all others, with whatever peers, gives to the picosecond what all ranks give. */
    @Property(tries = 400)
    void shouldMatchFullSimulationWhenOneRankRepresentsAll(
        @ForAll("algorithms") final Algorithm algorithm, @ForAll("models") final CostModel model,
        @ForAll final boolean isHost, @ForAll @IntRange(min = 1, max = 5) final int doublings,
        @ForAll @IntRange(min = 0, max = 2) final int extras, @ForAll @IntRange(min = 0, max = 40) final int chunk,
        @ForAll @IntRange(min = 1, max = 4) final int window)
    {
        final int size = (1 << doublings) + extras;
        final SimulatedCall call = Calls.of(algorithm, size, (long)chunk * size, SEGMENT, window);
        final Simulator simulator = Calls.simulator(model, isHost ? "host" : "flat", size);

        final Prediction alike = simulator.alike(call);

        if (alike != null)
        {
            final Prediction full = simulator.full(call);
            assertEquals(full, new Prediction(
                alike.seconds(), Method.FULL, 0, full.simulatedRanks(), alike.messages(), alike.bytes()));
        }
    }

    @Provide
    Arbitrary<CostModel> models()
    {
        return Arbitraries.of(
            CostModel.DEFAULT, CostModel.of(WireKind.TCP, WireKind.TCP), Calls.ALPHA_BETA,
            CostModel.DEFAULT.with(Map.of("host.cpu", 0.0, "network.byte", 5.0, "inline", 0.0)));
    }

    /** Programs that share their shapes, and are built until a limit, are those that each rank would have alone. */
    @Property(tries = 200)
    void shouldGiveTheSameResultWhenProgramsShareShapes(
        @ForAll("algorithms") final Algorithm algorithm, @ForAll("topologies") final String topology,
        @ForAll @IntRange(min = 1, max = 24) final int size, @ForAll @LongRange(min = 0, max = 2000) final long count,
        @ForAll final long seed)
    {
        final SimulatedCall call = Calls.of(algorithm, size, count, SEGMENT, 4);
        final Perturbation perturbation = new Perturbation(Map.of(), 0.2, 3, 0.01, 10_000, seed);
        final Topology parsed = Topology.parse(topology, size);
        final int inline = CostModel.DEFAULT.inlineBytes();
        final RankProgram[] alone = new RankProgram[size];
        Arrays.setAll(alone,
            rank -> RankProgramBuilder.of(call.schedule(rank), rank, size, Calls.ELEMENT, inline));

        final RankProgram[] shared = new RankPrograms(call, inline).all(1 << 24, 1 << 24);

        assertArrayEquals(alone, shared);
        assertEquals(
            new Simulation(size, alone, parsed, CostModel.DEFAULT, perturbation, null).run(),
            new Simulation(size, shared, parsed, CostModel.DEFAULT, perturbation, null).run());
        assertEquals(
            new Simulation(size, alone, parsed, CostModel.DEFAULT, perturbation, null).run() / 1e12,
            new Simulator(CostModel.DEFAULT, parsed, perturbation).full(call).seconds());
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
            final ProgramShape program =
                RankProgramBuilder.of(call.schedule(rank), rank, size, Calls.ELEMENT, 0).shape;
            for (int step = 0; step < program.steps(); step++)
            {
                bytes += program.kinds[step] == ProgramShape.PUT ? program.lengths[step] : 0;
            }
        }

        assertEquals((double)bytes / size,
            Calls.simulator(CostModel.DEFAULT, topology, size).full(call).bytes());
    }
}
