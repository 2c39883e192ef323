/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.select.model.ModelledTimes;
import org.tutti.collectives.select.model.WireKind;

import java.util.Arrays;
import java.util.List;

/**
 * Choices of the cost model on some hosts, cached: the first call of a class of lengths computes the times of all
 * algorithms, which takes a few microseconds, the others look the choice up and allocate nothing. A class is a quarter
 * of the lengths between two powers of two, and its shortest length represents it, so that calls of similar lengths get
 * the same algorithm. Of algorithms whose times differ by less than {@link #TIE}, the first in the order of
 * {@link Algorithms} is chosen: the model is not more accurate than that. Thread-safe: a choice that two threads
 * compute at once is the same.
 */
final class ModelChoices
{
    /** Times up to this factor from the shortest count as equal. */
    private static final double TIE = 1.03;
    private static final int CLASSES = 4 * Long.SIZE;
    private static final int ORDERS = OperandOrder.values().length;
    private static final List<List<Algorithm>> ALGORITHMS =
        Arrays.stream(Collective.values()).map(Algorithms::of).toList();

    private final ModelledTimes times;
    private final WireKind wire;
    private final boolean canRead;
    private final String name;
    /** By collective and order, then by class. Races are harmless, as a choice has only final fields. */
    private final Choice[][] choices = new Choice[Collective.values().length * ORDERS][];

    /**
     * Creates empty caches.
     *
     * @param times   times of calls.
     * @param wire    wire between hosts or, on one host, within it.
     * @param canRead whether algorithms that load the memory of other ranks of a host may be chosen.
     * @param name    name of the cost model, for explanations.
     */
    ModelChoices(final ModelledTimes times, final WireKind wire, final boolean canRead, final String name)
    {
        this.times = times;
        this.wire = wire;
        this.canRead = canRead;
        this.name = name;
    }

    boolean isFor(final HostMap hosts)
    {
        return hosts.equals(times.hosts());
    }

    /** Chooses for a call. */
    Choice choose(final Collective collective, final long bytes, final OperandOrder order)
    {
        final int row = collective.ordinal() * ORDERS + order.ordinal();
        Choice[] known = choices[row];
        if (known == null)
        {
            known = new Choice[CLASSES];
            choices[row] = known;
        }
        final int sizeClass = sizeClass(bytes);
        Choice choice = known[sizeClass];
        if (choice == null)
        {
            choice = compute(collective, shortest(sizeClass), order);
            known[sizeClass] = choice;
        }
        return choice;
    }

    /** Class of a length: the exponent and the two bits after the first. */
    static int sizeClass(final long bytes)
    {
        if (bytes < 4)
        {
            return (int)bytes;
        }
        final int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(bytes);
        return 4 * (exponent - 1) + (int)(bytes >>> (exponent - 2) & 3);
    }

    /** Shortest length of a class. */
    static long shortest(final int sizeClass)
    {
        return sizeClass < 4 ? sizeClass : (4L + sizeClass % 4) << (sizeClass / 4 - 1);
    }

    private Choice compute(final Collective collective, final long bytes, final OperandOrder order)
    {
        final List<Algorithm> all = ALGORITHMS.get(collective.ordinal());
        final double[] ns = new double[all.size()];
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < ns.length; i++)
        {
            ns[i] = isCandidate(all.get(i), order) ? time(all.get(i), bytes) : Double.POSITIVE_INFINITY;
            best = Math.min(best, ns[i]);
        }
        int chosen = -1;
        int next = -1;
        for (int i = 0; i < ns.length; i++)
        {
            if (chosen < 0 && ns[i] < Double.POSITIVE_INFINITY && ns[i] <= TIE * best)
            {
                chosen = i;
            }
            else if (ns[i] < Double.POSITIVE_INFINITY && (next < 0 || ns[i] < ns[next]))
            {
                next = i;
            }
        }
        if (chosen < 0)
        {
            return withoutForm(all, bytes, order);
        }
        final Tuning tuning = tuning(all.get(chosen), bytes);
        return new Choice(all.get(chosen), tuning.segmentBytes(), tuning.window(), "predicted by " + name + ": " +
            us(ns[chosen]) + " us at " + bytes + " bytes" + (next < 0 ? ", the only candidate" :
            ns[next] <= TIE * ns[chosen] ? ", as good as " + all.get(next).name() + " within 3 %" :
            ", next " + all.get(next).name() + " " + us(ns[next]) + " us"));
    }

    /** Chooses the first candidate where the model knows the time of none. */
    private Choice withoutForm(final List<Algorithm> all, final long bytes, final OperandOrder order)
    {
        for (final Algorithm algorithm : all)
        {
            if (isCandidate(algorithm, order))
            {
                final Tuning tuning = tuning(algorithm, bytes);
                return new Choice(algorithm, tuning.segmentBytes(), tuning.window(),
                    all.size() == 1 ? "the only algorithm" : "not predicted by " + name + ": the first candidate");
            }
        }
        throw new IllegalStateException("no algorithm keeps the required order (" + order.reason() + ")");
    }

    private static String us(final double ns)
    {
        return Double.toString(Math.round(ns / 100) / 10.0);
    }

    private double time(final Algorithm algorithm, final long bytes)
    {
        final Tuning tuning = tuning(algorithm, bytes);
        return times.ns(algorithm, bytes, tuning.segmentBytes(), tuning.window());
    }

    private Tuning tuning(final Algorithm algorithm, final long bytes)
    {
        return LinkTunings.of(algorithm, bytes, times.hosts(), wire, times.model());
    }

    private boolean isCandidate(final Algorithm algorithm, final OperandOrder order)
    {
        return order.isKeptBy(algorithm) &&
            (!algorithm.readsPeers() || (canRead && (algorithm.usesHosts() || times.hosts().number() == 1))) &&
            (!algorithm.usesHosts() || times.hosts().number() > 1);
    }
}
