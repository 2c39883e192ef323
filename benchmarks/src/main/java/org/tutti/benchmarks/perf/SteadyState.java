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
 * Times a row again while something took more than a fiftieth of a rank's time meanwhile, and keeps the time from which
 * least was taken: not the shortest, which would be luck's. A row of small calls is over within milliseconds, and one
 * method that is compiled beside it on the ranks' cores can make it ten times as long.
 *
 * @param communicator communicator of the ranks
 * @param lostNs       nanoseconds that others have taken from this rank so far.
 * @param most         times that a row is timed, at least 1.
 * @param longestNs    time after which a row is not timed again, in nanoseconds.
 */
record SteadyState(Communicator communicator, LongSupplier lostNs, int most, long longestNs)
{
    /** The share of a rank's time that may be taken from it without another timing. */
    static final double TOLERATED = 0.02;

    private static final String OVERSUBSCRIBED_ENV_NAME = "TUTTI_OVERSUBSCRIBED";
    private static final int MOST = 10;
    /** As a line of the header says it. */
    static final String TIMES_TEXT =
        "up to " + MOST + " times, until little disturbs it; the least disturbed time counts";
    private static final long LONGEST_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * What a timing gave.
     *
     * @param value value of this rank.
     * @param lost  what the rank lost that lost most, by its time: more than 1 where compilers had other cores; the
     *              same on all ranks.
     * @param <T>   type of the result.
     */
    record Timed<T>(T value, double lost)
    {
    }

    /** That of rows of a table. */
    static SteadyState of(final Communicator communicator)
    {
        // Launchers other than ours do not say.
        final boolean haveCores = "0".equals(System.getenv(OVERSUBSCRIBED_ENV_NAME));
        return new SteadyState(
            communicator, haveCores ? Disturbances::lostNs : Disturbances::takenNs, MOST, LONGEST_NS);
    }

    /**
     * Times a row.
     *
     * @param isRepeated whether it is timed again at all; the same on all ranks.
     * @param timing     time over all ranks.
     * @param <T>        type of the result.
     * @return what the timing gave from which least was taken; that of the same one on all ranks.
     */
    <T> Timed<T> time(final boolean isRepeated, final Supplier<T> timing)
    {
        Timed<T> kept = new Timed<>(null, Double.POSITIVE_INFINITY);
        final long begin = System.nanoTime();
        // Of the rank that lost most: the share that it lost, and for how long this row has been timed.
        final double[] state = { 0, 0 };
        final int timings = isRepeated ? most : 1;
        for (int i = 0; i < timings && kept.lost() > TOLERATED && state[1] < longestNs; i++)
        {
            if (i > 0)
            {
                Disturbances.leaveCores();
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
