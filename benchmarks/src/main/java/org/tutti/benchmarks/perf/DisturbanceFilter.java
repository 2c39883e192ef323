/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Times a row again while disturbances take more than 2 % of a rank's time, and keeps the least disturbed timing.
 * Keeping the shortest timing would favour outliers. A row of small calls takes only milliseconds, and a single method
 * that the JIT compiler compiles on the ranks' cores meanwhile can make the row take ten times as long.
 *
 * @param communicator communicator of the ranks.
 * @param lostNs       processor time in nanoseconds that other threads have taken from this rank so far.
 * @param most         maximum number of times that a row is timed, at least 1.
 * @param longestNs    time in nanoseconds after which a row is not timed again.
 */
record DisturbanceFilter(Communicator communicator, LongSupplier lostNs, int most, long longestNs)
{
    /** The fraction of a rank's time that may be lost without timing the row again. */
    static final double TOLERATED = 0.02;

    private static final String OVERSUBSCRIBED_ENV_NAME = "TUTTI_OVERSUBSCRIBED";
    /** Tests set the property to 1: they need no undisturbed times, and share processors with other tests. */
    private static final int MOST = Math.max(1, Integer.getInteger("tutti.perf.timings", 10));
    /** Text for the header of the table: how often a row is timed. */
    static final String TIMES_TEXT =
        "up to " + MOST + " times until hardly disturbed; the least disturbed time counts";
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Result of a timing.
     *
     * @param value result on this rank.
     * @param lost  maximum over the ranks of lost time divided by elapsed time; can exceed 1, because compilers also
     *              use other cores; the same on all ranks.
     * @param <T>   type of the result.
     */
    record Timed<T>(T value, double lost)
    {
    }

    /** Creates a filter with the limits for rows of a table. */
    static DisturbanceFilter of(final Communicator communicator)
    {
        // Only tutti run sets the variable; without it, ranks may share processors and always wait for each other.
        final boolean haveCores = "0".equals(System.getenv(OVERSUBSCRIBED_ENV_NAME));
        return new DisturbanceFilter(
            communicator, haveCores ? ProcessorTimeLoss::lostNs : ProcessorTimeLoss::takenNs, MOST, LONGEST_NS);
    }

    /**
     * Times a row, repeatedly if disturbed.
     *
     * @param isRepeated whether the row may be timed again; the same on all ranks.
     * @param timing     times the row, on all ranks together.
     * @param <T>        type of the result.
     * @return the result with the least disturbance; all ranks choose the same timing.
     */
    <T> Timed<T> time(final boolean isRepeated, final Supplier<T> timing)
    {
        Timed<T> kept = new Timed<>(null, Double.POSITIVE_INFINITY);
        final long begin = System.nanoTime();
        // Maxima over the ranks: lost fraction of this timing, and time spent on this row so far.
        final double[] state = { 0, 0 };
        final int timings = isRepeated ? most : 1;
        for (int i = 0; i < timings && kept.lost() > TOLERATED && state[1] < longestNs; i++)
        {
            if (i > 0)
            {
                ProcessorTimeLoss.leaveCores();
            }
            final long start = System.nanoTime();
            final long lostBefore = lostNs.getAsLong();
            final T now = timing.get();
            final long lost = lostNs.getAsLong() - lostBefore;
            final long end = System.nanoTime();
            state[0] = lost / (double)Math.max(1, end - start);
            state[1] = end - begin;
            communicator.allreduce(state, ReduceOp.MAX);
            if (state[0] < kept.lost())
            {
                kept = new Timed<>(now, state[0]);
            }
        }
        return kept;
    }
}
