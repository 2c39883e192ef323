/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.ModelledTimes;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.tools.simulate.Perturbation;
import org.tutti.tools.simulate.Simulator;
import org.tutti.tools.simulate.Topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Compares the closed forms by which algorithms are chosen with simulations of their schedules: what is chosen must
 * take little longer than the best. Prints the calls in which it takes longest.
 */
class ClosedFormsTest
{
    private static final boolean IS_LONG = Boolean.getBoolean("tutti.test.torture");
    private static final int[] SIZES = IS_LONG ? new int[] {2, 3, 4, 5, 6, 7, 8, 11, 12, 16, 24, 31, 32, 48, 64} :
        new int[] {2, 5, 8, 12, 31, 64};
    private static final List<WireKind> WIRES =
        IS_LONG ? List.of(WireKind.VERBS, WireKind.TCP) : List.of(WireKind.VERBS);
    private static final int[] LENGTHS = IS_LONG ?
        new int[] {8, 256, 1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 23} :
        new int[] {8, 1 << 12, 1 << 15, 1 << 18, 1 << 20};
    /** More ranks than those for which defaults were measured. */
    private static final int[] SHARED_SIZES = IS_LONG ? new int[] {11, 12, 16, 24, 31, 32, 48, 64} :
        new int[] {9, 12, 31};
    /** Two cores per host, and what a wait there takes longer: values that were measured on such a host. */
    private static final Map<String, Double> SHARED_CORES = Map.of("host.cores", 2.0, "host.yield", 2000.0);
    private static final int[] SLOW_SIZES = IS_LONG ? new int[] {2, 3, 4, 6, 7, 8, 12, 16, 24, 32} : new int[] {4, 12};
    private static final int[] LONG_SIZES = IS_LONG ? SLOW_SIZES : new int[] {4, 7, 12};
    /** 1 Gbit/s. */
    private static final Map<String, Double> SLOW_LINKS = Map.of("network.byte", 8.0);
    /** 1 ms, so that ranks wait for acknowledgements and credits, and 10 or 400 Gbit/s. */
    private static final Map<String, Double> LONG_LINKS = Map.of("network.latency", 1e6, "network.byte", 0.8);
    private static final Map<String, Double> LONG_FAST_LINKS = Map.of("network.latency", 1e6, "network.byte", 0.02);
    private static final long SCRATCH_BYTES = 4L << 20;
    private static final int ELEMENT_SIZE = 4;
    private static final double GOOD = 1.25;
    private static final double GOOD_SHARE = 0.9;
    private static final double LIMIT = 2;
    private static final int MEASURED_RANKS = 8;
    private static final int PRINTED = 5;

    /**
     * A call with the algorithm that the closed forms choose.
     *
     * @param text   text for messages.
     * @param factor simulated time of the chosen algorithm, relative to that of the best one.
     */
    private record Cell(String text, double factor)
    {
    }

    static Stream<Collective> collectives()
    {
        return Stream.of(Collective.values()).filter(collective -> Algorithms.of(collective).size() > 1);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldChooseNearlyTheBestOfTheSimulator(final Collective collective)
    {
        check(collective, WIRES, List.of("flat", "host", "hosts:4"), SIZES, Map.of());
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldChooseNearlyTheBestOfTheSimulatorWhenRanksShareCores(final Collective collective)
    {
        check(collective, WIRES, List.of("host", "hosts:4"), SHARED_SIZES, SHARED_CORES);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldChooseNearlyTheBestOfTheSimulatorOverSlowLinks(final Collective collective)
    {
        check(collective, List.of(WireKind.TCP), List.of("flat", "hosts:2", "hosts:4"), SLOW_SIZES, SLOW_LINKS);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldChooseNearlyTheBestOfTheSimulatorOverLongLinks(final Collective collective)
    {
        check(collective, List.of(WireKind.VERBS, WireKind.TCP), List.of("flat", "hosts:2", "hosts:4"), LONG_SIZES,
            LONG_LINKS);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldChooseNearlyTheBestOfTheSimulatorOverLongFastLinks(final Collective collective)
    {
        check(collective, List.of(WireKind.VERBS, WireKind.TCP), List.of("flat", "hosts:2", "hosts:4"), LONG_SIZES,
            LONG_FAST_LINKS);
    }

    @ParameterizedTest
    @MethodSource("collectives")
    void shouldPredictNearlyTheTimesOfTheSimulatorBetweenTwoHosts(final Collective collective)
    {
        final HostMap hosts = HostMap.inOrder(2, 1);
        for (final Map<String, Double> values : List.of(SLOW_LINKS, LONG_LINKS))
        {
            final CostModel model = CostModel.of(WireKind.SHM, WireKind.TCP).with(values);
            final Simulator simulator = new Simulator(model, Topology.parse("flat", 2), Perturbation.NONE);
            final ModelledTimes times = new ModelledTimes(hosts, model, SCRATCH_BYTES);
            for (final int length : new int[] {1 << 10, 1 << 15, 1 << 18, 1 << 20})
            {
                for (final Candidate candidate : Candidate.all(selector(WireKind.TCP, model), new Candidate.Shape(
                    collective, hosts, length, ELEMENT_SIZE, 0)))
                {
                    final Algorithm algorithm = candidate.choice().algorithm();
                    final double factor = times.ns(algorithm, candidate.bytes(), candidate.segmentBytes(),
                        candidate.choice().window()) / (1e9 * candidate.predict(simulator).seconds());
                    // Hierarchical algorithms are for hosts with several ranks.
                    assertTrue(algorithm.usesHosts() || (factor < GOOD && factor > 1 / GOOD),
                        () -> String.format(Locale.ROOT, "%s %s, %d bytes, %s: predicted %.2f times the simulated time",
                            collective, algorithm.name(), length, values, factor));
                }
            }
        }
    }

    private static AlgorithmSelector selector(final WireKind wire, final CostModel model)
    {
        return AlgorithmSelector.of(null)
            .over(new AlgorithmSelector.Wires(WireKind.SHM, wire, 0, SCRATCH_BYTES), model, "");
    }

    private static void check(
        final Collective collective, final List<WireKind> wires, final List<String> topologies, final int[] sizes,
        final Map<String, Double> values)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final WireKind wire : wires)
        {
            final CostModel model = CostModel.of(WireKind.SHM, wire).with(values);
            for (final String topology : topologies)
            {
                for (final int size : sizes)
                {
                    for (final int length : collective == Collective.BARRIER ? new int[] {0} : LENGTHS)
                    {
                        cells.add(cell(collective, wire, model, topology, size, length));
                    }
                }
            }
        }

        cells.sort(Comparator.comparingDouble(Cell::factor).reversed());
        final long good = cells.stream().filter(cell -> cell.factor <= GOOD).count();
        System.out.printf(Locale.ROOT, "%s: %d of %d calls within %.2f of the best; worst:%n", collective, good,
            cells.size(), GOOD);
        cells.stream().limit(PRINTED).forEach(cell -> System.out.println("  " + cell.text));
        assertTrue(good >= GOOD_SHARE * cells.size(), () -> good + " of " + cells.size());
        assertTrue(cells.getFirst().factor <= LIMIT, cells.getFirst().text);
    }

    private static Cell cell(
        final Collective collective, final WireKind wire, final CostModel model, final String topologyName,
        final int size, final long length)
    {
        final Topology topology = Topology.parse(topologyName, size);
        final HostMap hosts = topology.hosts(size);
        final Simulator simulator = new Simulator(model, topology, Perturbation.NONE);
        final ModelledTimes times = new ModelledTimes(hosts, model, SCRATCH_BYTES);
        final long bytes = collective.hasBlocks() ? Math.max(length, (long)ELEMENT_SIZE * size) : length;
        String best = "";
        String chosen = "";
        double bestSeconds = Double.POSITIVE_INFINITY;
        double chosenSeconds = 0;
        double chosenNs = Double.POSITIVE_INFINITY;
        // Calls for which defaults were measured get these, so the forms choose here instead of the selector.
        final boolean isMeasured = hosts.number() == 1 && size <= MEASURED_RANKS;
        for (final Candidate candidate : Candidate.all(selector(wire, model), new Candidate.Shape(
            collective, hosts, bytes, ELEMENT_SIZE, 0)))
        {
            final Algorithm algorithm = candidate.choice().algorithm();
            if (algorithm.usesHosts() && hosts.number() == 1)
            {
                // Never chosen on one host.
                continue;
            }
            final double seconds = candidate.predict(simulator).seconds();
            final double ns = times.ns(
                algorithm, candidate.bytes(), candidate.segmentBytes(), candidate.choice().window());
            if (seconds < bestSeconds)
            {
                best = algorithm.name();
                bestSeconds = seconds;
            }
            if (isMeasured ? ns < chosenNs : candidate.isChosen())
            {
                chosen = algorithm.name();
                chosenSeconds = seconds;
                chosenNs = ns;
            }
        }
        final double factor = chosenSeconds / bestSeconds;
        return new Cell(String.format(Locale.ROOT,
            "%s on %s, %d ranks, %d bytes: %s, predicted %.1f us, simulated %.1f us; best %s, %.1f us: %.2f",
            collective, topologyName, size, bytes, chosen, chosenNs / 1e3, 1e6 * chosenSeconds, best,
            1e6 * bestSeconds, factor), factor);
    }

    @Test
    void shouldHaveAClosedFormForEachAlgorithmThatHasAlternatives()
    {
        final ModelledTimes times = new ModelledTimes(HostMap.inOrder(8, 4), CostModel.DEFAULT, SCRATCH_BYTES);

        assertEquals(List.of(), collectives().flatMap(collective -> Algorithms.of(collective).stream())
            .filter(algorithm -> !Double.isFinite(times.ns(algorithm, 1 << 16, 1 << 14, 4)))
            .map(Algorithm::toString).toList());
    }
}
