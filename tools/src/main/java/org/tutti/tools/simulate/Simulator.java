/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.select.model.CostModel;
import org.tutti.collectives.select.model.ModelledTimes;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Predicts the time of calls. Simulates all ranks if they are few enough; else uses an equally exact shortcut or an
 * approximation, with an estimate of its error if possible, or a closed form: see {@link Method}. Deterministic.
 * Thread-safe.
 */
public final class Simulator
{
    /** Maximum number of simulated steps per call, over all simulated ranks. */
    public static final long MAX_STEPS = 1L << 28;

    /** Maximum number of steps where a quicker method might apply. */
    private static final long MAX_FULL_STEPS = 1L << 25;
    /** Maximum number of steps that are stored at once. */
    private static final long MAX_STORED_STEPS = 1L << 26;
    private static final long MAX_EXTENDED_STEPS = 1L << 24;
    private static final long FEW_STEPS = 1L << 20;
    private static final int MANY_RANKS = 4096;

    private final CostModel model;
    private final Topology topology;
    private final Perturbation perturbation;
    private final Map<Object, Optional<Prediction>> known = new ConcurrentHashMap<>();

    /**
     * Creates a simulator of calls on one topology.
     *
     * @param model        cost model of the steps.
     * @param topology     topology with as many ranks as the calls have.
     * @param perturbation slow ranks and losses.
     */
    public Simulator(final CostModel model, final Topology topology, final Perturbation perturbation)
    {
        this.model = model;
        this.topology = topology;
        this.perturbation = perturbation;
    }

    /**
     * Predicts the time of a call.
     *
     * @param call call to predict.
     * @return the prediction.
     * @throws IllegalArgumentException if the call has too many steps, no shortcut applies, and there is no closed form
     *                                  either.
     */
    public Prediction predict(final SimulatedCall call)
    {
        final long longest = longestSchedule(call);
        final long steps = longest * call.size();
        if (steps <= FEW_STEPS && call.size() <= MANY_RANKS)
        {
            return full(call);
        }
        Prediction found = symmetric(call, longest);
        if (found == null)
        {
            found = alike(call);
        }
        if (found == null && call.size() > MANY_RANKS && call.count() < call.size())
        {
            // With fewer elements than ranks, most schedules are nearly empty: creating all of them would take longer
            // than simulating the few ranks that represent the others.
            found = rounded(call);
        }
        if (found == null && steps <= MAX_FULL_STEPS)
        {
            found = full(call);
        }
        if (found == null)
        {
            found = fullUpTo(MAX_FULL_STEPS, call);
        }
        if (found == null)
        {
            found = rounded(call);
        }
        if (found == null)
        {
            found = extended(call);
        }
        if (found == null)
        {
            found = fullUpTo(MAX_STEPS, call);
        }
        if (found == null)
        {
            found = closedForm(call);
        }
        if (found == null)
        {
            throw new IllegalArgumentException(call.algorithm().name() + " on " + call.size() +
                " ranks has more than " + MAX_STEPS +
                " steps, and no closed form covers stragglers and losses: use fewer ranks");
        }
        return found;
    }

    /**
     * Simulates all ranks and traces their activity.
     *
     * @param call  call to simulate.
     * @param trace receives the activity of the ranks.
     * @return the prediction.
     */
    public Prediction trace(final SimulatedCall call, final Trace trace)
    {
        return run(call.size(), programs(call).first(call.size()), trace).by(Method.FULL, 0);
    }

    Prediction full(final SimulatedCall call)
    {
        return run(call.size(), programs(call).first(call.size()), null).by(Method.FULL, 0);
    }

    /** Simulates all ranks, or returns null if they have more steps. */
    private Prediction fullUpTo(final long steps, final SimulatedCall call)
    {
        final RankProgram[] programs = programs(call).all(steps, MAX_STORED_STEPS);
        return programs == null ? null : run(call.size(), programs, null).by(Method.FULL, 0);
    }

    /** Simulates the ranks of one period, or returns null if they do not represent the others. */
    Prediction symmetric(final SimulatedCall call)
    {
        return symmetric(call, longestSchedule(call));
    }

    private Prediction symmetric(final SimulatedCall call, final long longest)
    {
        final int size = call.size();
        final long period = topology.period();
        if (!perturbation.isNone() || size % period != 0 || period * longest > MAX_STEPS)
        {
            return null;
        }
        final RankPrograms programs = programs(call);
        final RankProgram first = programs.of(0);
        if (RankPrograms.samples(size).allMatch((rank) -> programs.of(rank).equals(first)))
        {
            return run(size, copies(first, (int)period), null).by(Method.SYMMETRIC, 0);
        }
        if (period == 1 || period == size || period * first.steps() > MAX_FULL_STEPS)
        {
            return null;
        }
        final RankProgram[] kept = programs.first((int)period);
        return RankPrograms.samples(size).allMatch((rank) -> programs.of(rank).equals(kept[(int)(rank % period)])) ?
            run(size, kept, null).by(Method.SYMMETRIC, 0) : null;
    }

    /**
     * Simulates one rank if all ranks do the same with other peers, as in recursive doubling, where peers differ in one
     * bit; else returns null. Exact where messages meet only at ranks.
     */
    Prediction alike(final SimulatedCall call)
    {
        final int size = call.size();
        if (!perturbation.isNone() || !topology.isUniform(size))
        {
            return null;
        }
        final RankPrograms programs = programs(call);
        final int[] inboxes = programs.commonInboxes();
        if (inboxes == null)
        {
            return null;
        }
        final Simulation simulation = Simulation.ofOne(size, programs.of(0), inboxes, topology, model);
        final double ps = simulation.run();
        return simulation.isAmbiguous() ? null :
            new Prediction(ps / 1e12, Method.SYMMETRIC, 0, 1, simulation.messages(), simulation.bytes());
    }

    /** The time in closed form, without a simulation; null if there is none. */
    private Prediction closedForm(final SimulatedCall call)
    {
        if (!perturbation.isNone())
        {
            return null;
        }
        final int size = call.size();
        final ScheduleRequest request = call.requests().apply(call.count());
        final long bytes = call.count() * call.elementSize() * (call.algorithm().collective().hasBlocks() ? size : 1);
        final double ns = new ModelledTimes(topology.hosts(size), model, Long.MAX_VALUE)
            .ns(call.algorithm(), bytes, request.segment() * call.elementSize(), request.window());
        return Double.isInfinite(ns) ? null :
            new Prediction(ns / 1e9, Method.CLOSED_FORM, Double.NaN, 0, Double.NaN, Double.NaN);
    }

    private Prediction rounded(final SimulatedCall call)
    {
        final int size = call.size();
        final long more = Math.ceilDiv(call.count(), size) * (long)size;
        if (more == call.count())
        {
            return null;
        }
        // Cached, because several counts round up to the same one.
        final Prediction most = known.computeIfAbsent(
            List.of(call.algorithm().collective(), call.algorithm().name(), call.requests().apply(more),
                call.elementSize()),
            (key) -> Optional.ofNullable(symmetric(call.withCount(more)))).orElse(null);
        final Prediction least = most == null || more == size ? null : symmetric(call.withCount(more - size));
        return most == null ? null : most.by(
            Method.ROUNDED, least == null ? Double.NaN : (most.seconds() - least.seconds()) / most.seconds());
    }

    private Prediction extended(final SimulatedCall call)
    {
        final long unit = 4 * call.requests().apply(call.count()).segment();
        long units = call.count() / unit;
        while (units > 0 && longestSchedule(call.withCount(units * unit)) * call.size() > MAX_EXTENDED_STEPS)
        {
            units /= 2;
        }
        if (units == 0)
        {
            return null;
        }
        final long count = units * unit;
        final Prediction last = knownFull(call.withCount(count));
        final double middle = knownFull(call.withCount(count / 4 * 3)).seconds();
        final double first = knownFull(call.withCount(count / 2)).seconds();
        final double slope = (last.seconds() - first) / (count / 2.0);
        final double bend = Math.abs((last.seconds() - middle) - (middle - first)) / (count / 4.0);
        final long rest = call.count() - count;
        final double seconds = last.seconds() + rest * slope;
        final double scale = (double)call.count() / count;
        return new Prediction(seconds, Method.EXTENDED, bend * rest / seconds, call.size(),
            last.messages() * scale, last.bytes() * scale);
    }

    /** As {@link #full}, cached: extrapolations of calls of several lengths share the shorter calls. */
    Prediction knownFull(final SimulatedCall call)
    {
        return known.computeIfAbsent(
            List.of(Method.FULL, call.algorithm().collective(), call.algorithm().name(),
                call.requests().apply(call.count()), call.elementSize()),
            (key) -> Optional.of(full(call))).orElseThrow();
    }

    private static RankProgram[] copies(final RankProgram program, final int number)
    {
        final RankProgram[] programs = new RankProgram[number];
        Arrays.fill(programs, program);
        return programs;
    }

    private Prediction run(final int size, final RankProgram[] programs, final Trace trace)
    {
        final Simulation simulation = new Simulation(size, programs, topology, model, perturbation, trace);
        final double ps = simulation.run();
        return new Prediction(
            ps / 1e12, Method.FULL, 0, programs.length, (double)simulation.messages() / programs.length,
            (double)simulation.bytes() / programs.length);
    }

    /** Number of steps of the longest schedule among sampled ranks. */
    private static long longestSchedule(final SimulatedCall call)
    {
        final int size = call.size();
        return IntStream.of(0, 1 % size, size / 3, size / 2, size - 1).distinct()
            .mapToLong((rank) -> call.schedule(rank).stepCount()).max().orElseThrow();
    }

    private RankPrograms programs(final SimulatedCall call)
    {
        return new RankPrograms(call, model.inlineBytes());
    }
}
