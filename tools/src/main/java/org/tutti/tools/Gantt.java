/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.tutti.collectives.schedule.StepKind;
import org.tutti.tools.simulate.Prediction;
import org.tutti.tools.simulate.Simulator;
import org.tutti.tools.simulate.Topology;
import org.tutti.tools.simulate.Trace;

/**
 * Timeline of the ranks of one run: time is split into slices, and each slice of a rank shows what the rank did for the
 * longest part of the slice.
 */
final class Gantt implements Trace
{
    /** Maximum number of ranks shown by default. */
    static final int RANKS = 16;
    /** Maximum number of ranks that can be requested. */
    static final int MAX_RANKS = 256;

    private static final int SLICES = 480;
    private static final StepKind[] KINDS = StepKind.values();

    private final List<List<long[]>> intervals = new ArrayList<>();
    private final Candidate candidate;
    private final Topology topology;
    private Prediction prediction;

    private Gantt(final Candidate candidate, final int size, final Topology topology)
    {
        this.candidate = candidate;
        this.topology = topology;
        for (int rank = 0; rank < size; rank++)
        {
            intervals.add(new ArrayList<>());
        }
    }

    static Gantt of(final Candidate candidate, final int size, final Topology topology, final Simulator simulator)
    {
        final Gantt gantt = new Gantt(candidate, size, topology);
        gantt.prediction = simulator.trace(candidate.call(), gantt);
        return gantt;
    }

    @Override
    public void busy(final int rank, final StepKind kind, final long begin, final long end)
    {
        if (end > begin)
        {
            intervals.get(rank).add(new long[] {begin, end, kind.ordinal()});
        }
    }

    @Override
    public void message(
        final int from, final int step, final int to, final long bytes, final long posted, final long arrived)
    {
        // The timeline shows what ranks do, not messages.
    }

    Candidate candidate()
    {
        return candidate;
    }

    Topology topology()
    {
        return topology;
    }

    Prediction prediction()
    {
        return prediction;
    }

    /** Slices by rank, as one character each: the initial letter of the step kind, or '-' if the rank was idle. */
    List<String> slices()
    {
        final double length = prediction.seconds() * 1e12 / SLICES;
        return intervals.stream().map(rank -> slices(rank, length)).toList();
    }

    private static String slices(final List<long[]> rank, final double length)
    {
        final double[][] shares = new double[SLICES][KINDS.length];
        for (final long[] interval : rank)
        {
            final int first = slice(interval[0], length);
            final int last = slice(interval[1], length);
            for (int slice = first; slice <= last; slice++)
            {
                final double begin = Math.max((double)interval[0], slice * length);
                final double end = Math.min((double)interval[1], (slice + 1) * length);
                shares[slice][(int)interval[2]] += Math.max(0, end - begin);
            }
        }
        final StringBuilder text = new StringBuilder();
        for (final double[] share : shares)
        {
            final double most = Arrays.stream(share).max().orElse(0);
            int kind = 0;
            while (share[kind] < most)
            {
                kind++;
            }
            // No step in this slice: the rank was idle.
            text.append(most == 0 ? '-' : KINDS[kind].name().charAt(0));
        }
        return text.toString();
    }

    private static int slice(final long time, final double length)
    {
        return length == 0 ? 0 : Math.min(SLICES - 1, (int)(time / length));
    }
}
