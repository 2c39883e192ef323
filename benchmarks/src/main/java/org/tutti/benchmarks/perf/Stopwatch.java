/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.HdrHistogram.Histogram;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

/** Times calls on all ranks together. Not thread-safe. */
final class Stopwatch
{
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Communicator communicator;
    private final PerfConfig.Average average;
    private final boolean perIteration;
    private Histogram histogram;

    Stopwatch(final Communicator communicator, final PerfConfig.Average average, final boolean perIteration)
    {
        this.communicator = communicator;
        this.average = average;
        this.perIteration = perIteration;
    }

    static void repeat(final Runnable call, final int iterations)
    {
        for (int i = 0; i < iterations; i++)
        {
            call.run();
        }
    }

    /**
     * Times iterations, after a barrier.
     *
     * @param call       call that all ranks make.
     * @param iterations number of iterations, at least 1, the same on all ranks.
     * @return mean time per iteration in microseconds, combined over the ranks; the same on all ranks.
     */
    double time(final Runnable call, final int iterations)
    {
        return time(call, iterations, 1);
    }

    /**
     * Times iterations of several messages each, after a barrier.
     *
     * @param call       call that all ranks make.
     * @param iterations number of iterations, at least 1, the same on all ranks.
     * @param messages   number of messages per iteration, at least 1.
     * @return mean time per message in microseconds, combined over the ranks; the same on all ranks.
     */
    double time(final Runnable call, final int iterations, final int messages)
    {
        histogram = perIteration ? new Histogram(SIGNIFICANT_DIGITS) : null;
        communicator.barrier();
        final long start = System.nanoTime();
        if (perIteration)
        {
            repeatAndRecord(call, iterations, messages, start);
        }
        else
        {
            repeat(call, iterations);
        }
        return overRanks((System.nanoTime() - start) / 1e3 / iterations / messages);
    }

    /**
     * Times of the iterations of the last {@link #time}.
     *
     * @return histogram of this rank's times in nanoseconds, each divided by the number of messages; null if not
     *     requested.
     */
    Histogram histogram()
    {
        return histogram;
    }

    private void repeatAndRecord(final Runnable call, final int iterations, final int messages, final long start)
    {
        long before = start;
        for (int i = 0; i < iterations; i++)
        {
            call.run();
            final long now = System.nanoTime();
            histogram.recordValue((now - before) / messages);
            before = now;
        }
    }

    /** Combines the times of all ranks as {@code -a} specifies; the result is the same on all ranks. */
    double overRanks(final double timeUs)
    {
        final double[] time = { average == PerfConfig.Average.RANK_0 && communicator.rank() != 0 ? 0 : timeUs };
        communicator.allreduce(time, switch (average)
        {
            case RANK_0 -> ReduceOp.SUM;
            case MEAN -> ReduceOp.AVG;
            case MIN -> ReduceOp.MIN;
            case MAX -> ReduceOp.MAX;
        });
        return time[0];
    }
}
