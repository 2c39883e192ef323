/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.AlgorithmSelector;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.WireKind;
import org.tutti.tools.simulate.Perturbation;
import org.tutti.tools.simulate.Simulator;
import org.tutti.tools.simulate.Topology;

/**
 * Fits the cost model of a host to measured times: minimizes the sum of squares of the logarithms of simulated over
 * measured times by the simplex method of Nelder and Mead, The Computer Journal 7(4), 1965, doi:10.1093/comjnl/7.4.308.
 * Stateless.
 */
final class Calibration
{
    private static final int STEPS = 400;
    /**
     * Weight of the distance of processors' parameters from their initial values. A parameter that differs by a
     * factor of 4 counts as much as a time that differs by 10 percent from the model's. Without this weight, times
     * between two hosts, which depend on the sum of latency and overheads, would be explained by overheads of any size.
     */
    private static final double PRIOR = Math.pow(Math.log(1.1) / Math.log(4), 2);
    private static final String HOST = "host";
    private static final String NETWORK = "network";

    /**
     * A measured time.
     *
     * @param collective collective that was called.
     * @param algorithm  name of the algorithm that was used.
     * @param ranks      number of ranks: in shared memory all on one host, else one per host.
     * @param bytes      bytes of the longest buffer.
     * @param timeUs     time of a call in microseconds.
     */
    record Measured(Collective collective, String algorithm, int ranks, long bytes, double timeUs)
    {
    }

    private Calibration()
    {
    }

    /**
     * Predicts the time of a measured call.
     *
     * @param model       model that predicts.
     * @param run         model with which the call was measured: it determines segments and windows.
     * @param wire        wire that was measured.
     * @param row         the call.
     * @param elementSize bytes of an element.
     * @return time in microseconds.
     */
    static double predictUs(
        final CostModel model, final CostModel run, final WireKind wire, final Measured row, final int elementSize)
    {
        final Candidate candidate = candidates(run, wire, row, elementSize).available().stream()
            .filter(Candidate::isChosen).findFirst().orElseThrow();
        return 1e6 * candidate.predict(new Simulator(
            model, Topology.parse(wire == WireKind.SHM ? "host" : "flat", row.ranks), Perturbation.NONE)).seconds();
    }

    /**
     * Returns why the time of a call cannot be predicted: ranks over the wire would not use its algorithm.
     *
     * @param run         model with which the call was measured.
     * @param wire        wire that was measured.
     * @param row         the call.
     * @param elementSize bytes of an element.
     * @return the value that is wrong, and its limit; empty if the time can be predicted.
     */
    static String problem(final CostModel run, final WireKind wire, final Measured row, final int elementSize)
    {
        final Candidates found = candidates(run, wire, row, elementSize);
        final boolean isUsed = found.available().stream().filter(Candidate::isChosen)
            .anyMatch(candidate -> candidate.choice().algorithm().name().equals(row.algorithm));
        return isUsed ? "" : found.refused().stream().filter(refusal -> refusal.algorithm().equals(row.algorithm))
            .map(Candidates.Refusal::message).findFirst().orElseGet(() -> "algorithm=" + row.algorithm +
            ": must be one that ranks of " + (wire == WireKind.SHM ? "one host" : "different hosts") +
            " can use over " + wire.label() + ": " +
            found.available().stream().map(candidate -> candidate.choice().algorithm().name())
            .filter(name -> !name.equals(row.algorithm)).collect(Collectors.joining(", ")));
    }

    private static Candidates candidates(
        final CostModel run, final WireKind wire, final Measured row, final int elementSize)
    {
        final boolean isShared = wire == WireKind.SHM;
        final AlgorithmSelector selector =
            AlgorithmSelector.of(ModelOptions.nameOf(row.collective) + ":0-:" + row.algorithm).over(
            new AlgorithmSelector.Wires(WireKind.SHM, isShared ? AlgorithmSelector.Wires.DEFAULT.across() : wire, 0,
            AlgorithmSelector.Wires.DEFAULT.scratchBytes()), run, "");
        return Candidates.of(selector, new Candidate.Shape(row.collective,
            isShared ? HostMap.one(row.ranks) : HostMap.inOrder(row.ranks, 1), row.bytes, elementSize, 0));
    }

    /**
     * Fits a model.
     *
     * @param wire        wire that was measured.
     * @param start       initial values of the parameters that vary, and fixed values of the others; segments and
     *                    windows of the measured calls are those of this model.
     * @param rows        measured times, at least one.
     * @param elementSize bytes of an element.
     * @return the best model found; equal inputs give equal models.
     */
    static CostModel fit(
        final WireKind wire, final CostModel start, final List<Measured> rows, final int elementSize)
    {
        final Fit fit = new Fit(wire, start, rows, elementSize);
        final String link = wire == WireKind.SHM ? HOST : NETWORK;
        final List<String> ofLink = List.of(link + ".latency", link + ".byte");
        // First the link alone: if its values are far from the initial ones, those of processors would explain its
        // times.
        return fit.minimize(List.of(link + ".send", "reduce", "local"), ofLink, fit.minimize(List.of(), ofLink, start));
    }

    /**
     * A search for parameters.
     *
     * @param wire        wire that was measured.
     * @param run         model with which the calls were measured.
     * @param rows        measured times.
     * @param elementSize bytes of an element.
     */
    private record Fit(WireKind wire, CostModel run, List<Measured> rows, int elementSize)
    {
        /**
         * Varies parameters independently, each by a factor.
         *
         * @param processors names of parameters of processors.
         * @param link       names of parameters of the link.
         * @param from       initial values.
         * @return the best model found.
         */
        CostModel minimize(final List<String> processors, final List<String> link, final CostModel from)
        {
            final List<String> names = Stream.concat(processors.stream(), link.stream()).toList();
            final int dimensions = names.size();
            final ToDoubleFunction<double[]> error = point ->
                error(model(names, from, point)) +
                PRIOR * Arrays.stream(point, 0, processors.size()).map(factor -> factor * factor).sum();
            final List<double[]> simplex = new ArrayList<>();
            for (int i = 0; i <= dimensions; i++)
            {
                final double[] point = new double[dimensions + 1];
                if (i < dimensions)
                {
                    point[i] = 1;
                }
                simplex.add(measured(point, error));
            }
            for (int step = 0; step < STEPS; step++)
            {
                simplex.sort(Comparator.comparingDouble(point -> point[dimensions]));
                improve(simplex, error);
            }
            simplex.sort(Comparator.comparingDouble(point -> point[dimensions]));
            return model(names, from, simplex.getFirst());
        }

        private double error(final CostModel model)
        {
            return rows.parallelStream()
                .mapToDouble(row -> Math.log(predictUs(model, run, wire, row, elementSize) / row.timeUs))
                .map(error -> error * error).boxed().toList().stream().mapToDouble(Double::doubleValue).sum();
        }

        /** The time to receive equals that to send; in shared memory, copy equals host.byte. */
        private CostModel model(final List<String> names, final CostModel from, final double[] point)
        {
            final Map<String, Double> all = from.values();
            final Map<String, Double> values = new LinkedHashMap<>();
            for (int i = 0; i < names.size(); i++)
            {
                // Limits the distance from the initial value: parameters that do not affect the measured times would
                // diverge. Emulated devices are thousands of times slower than adapters.
                final double factor = Math.exp(Math.clamp(point[i], -10, 10));
                values.put(names.get(i), Math.max(all.get(names.get(i)), 0.001) * factor);
            }
            final String link = wire == WireKind.SHM ? HOST : NETWORK;
            final Double send = values.get(link + ".send");
            if (send != null)
            {
                values.put(link + ".receive", send);
            }
            if (wire == WireKind.SHM)
            {
                values.put("copy", values.get(HOST + ".byte"));
            }
            return from.with(values);
        }
    }

    private static void improve(final List<double[]> simplex, final ToDoubleFunction<double[]> error)
    {
        final int last = simplex.size() - 1;
        final double[] worst = simplex.get(last);
        final double[] centre = new double[worst.length];
        for (int i = 0; i < last; i++)
        {
            for (int j = 0; j < last; j++)
            {
                centre[j] += simplex.get(i)[j] / last;
            }
        }
        final double[] reflected = measured(between(worst, centre, 2), error);
        if (reflected[last] < simplex.getFirst()[last])
        {
            final double[] expanded = measured(between(worst, centre, 3), error);
            simplex.set(last, expanded[last] < reflected[last] ? expanded : reflected);
            return;
        }
        if (reflected[last] < simplex.get(last - 1)[last])
        {
            simplex.set(last, reflected);
            return;
        }
        final double[] contracted =
            measured(between(worst, centre, reflected[last] < worst[last] ? 1.5 : 0.5), error);
        if (contracted[last] < Math.min(reflected[last], worst[last]))
        {
            simplex.set(last, contracted);
            return;
        }
        for (int i = 1; i <= last; i++)
        {
            simplex.set(i, measured(between(simplex.get(i), simplex.getFirst(), 0.5), error));
        }
    }

    private static double[] between(final double[] from, final double[] to, final double way)
    {
        final double[] point = new double[from.length];
        for (int i = 0; i < from.length - 1; i++)
        {
            point[i] = from[i] + way * (to[i] - from[i]);
        }
        return point;
    }

    /** Sets the last element of a point to its error. */
    private static double[] measured(final double[] point, final ToDoubleFunction<double[]> error)
    {
        point[point.length - 1] = error.applyAsDouble(point);
        return point;
    }
}
