/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.Request;

/**
 * Times how far a nonblocking call progresses while its rank computes, by the method of the OSU Micro-Benchmarks
 * (osu_iallreduce and the like): the first calls are awaited immediately; in each further call, the rank computes
 * between start and wait, for the mean time of one of the first calls. Each call starts after a barrier. Not
 * thread-safe.
 *
 * @see <a href="https://mvapich.cse.ohio-state.edu/benchmarks/">OSU Micro-Benchmarks</a>
 */
final class OverlapStopwatch
{
    private static final int STEPS = 64;

    private final Communicator communicator;
    private final Stopwatch stopwatch;
    private final int tests;
    private final int leastTests;
    private long computed;

    /**
     * Creates a stopwatch for the rows of a table.
     *
     * @param communicator communicator of the ranks.
     * @param stopwatch    stopwatch that combines times over the ranks.
     * @param tests        number of times that the computation is interrupted to test the request.
     */
    OverlapStopwatch(final Communicator communicator, final Stopwatch stopwatch, final int tests)
    {
        this.communicator = communicator;
        this.stopwatch = stopwatch;
        this.tests = tests;
        leastTests = Math.max(1, tests);
    }

    /**
     * Times iterations, with and without a computation.
     *
     * @param call       call that all ranks make.
     * @param iterations number of iterations, at least 1, the same on all ranks.
     * @return mean times per iteration; the same on all ranks.
     */
    Overlap time(final MeasuredCall call, final int iterations)
    {
        long pureNs = 0;
        for (int i = 0; i < iterations; i++)
        {
            communicator.barrier();
            final long start = System.nanoTime();
            call.start().await();
            pureNs += System.nanoTime() - start;
        }
        final double pureUs = stopwatch.overRanks(pureNs / 1e3 / iterations);
        final long targetNs = (long)(pureUs * 1e3);
        long overallNs = 0;
        long computeNs = 0;
        for (int i = 0; i < iterations; i++)
        {
            communicator.barrier();
            final long start = System.nanoTime();
            final Request request = call.start();
            computeNs += compute(request, targetNs);
            request.await();
            overallNs += System.nanoTime() - start;
        }
        return new Overlap(
            stopwatch.overRanks(overallNs / 1e3 / iterations), stopwatch.overRanks(computeNs / 1e3 / iterations),
            pureUs);
    }

    /**
     * Computes for a given time.
     *
     * @return elapsed nanoseconds without the tests.
     */
    private long compute(final Request request, final long targetNs)
    {
        long computeNs = 0;
        for (int part = 0; part < leastTests; part++)
        {
            if (tests > 0)
            {
                request.test();
            }
            final long start = System.nanoTime();
            long elapsed = 0;
            while (elapsed < targetNs / leastTests)
            {
                step();
                elapsed = System.nanoTime() - start;
            }
            computeNs += elapsed;
        }
        return computeNs;
    }

    /** Computes a chain of multiplications, which takes some tens of nanoseconds. */
    private void step()
    {
        long value = computed;
        for (int i = 0; i < STEPS; i++)
        {
            value = value * 6364136223846793005L + 1442695040888963407L;
        }
        computed = value;
    }
}
