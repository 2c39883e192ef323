/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.time.Duration;

/**
 * Runs whole rows, shortened and unprinted, before the table, so that the JVM compiles with profiles of every branch
 * that the timed rows take. Repeating only the calls is not enough: at the first branch not yet seen, here the barrier
 * before a row, the JVM discards the compiled code, and on few cores a recompilation takes 100 ms.
 *
 * <p>The warm-up ends once the JVMs of all ranks have compiled next to nothing for a second. The duration depends on
 * the machine: compilers get little time on cores that ranks occupy. A JVM that does not compile, or whose compiler
 * time is not reported, counts as done.
 *
 * @param least minimum duration of the warm-up; 0 for none.
 * @param most  maximum duration, after which no further pass over the rows starts, even if the JVM still compiles.
 */
record WarmUp(Duration least, Duration most)
{
    static final WarmUp NONE = new WarmUp(Duration.ZERO, Duration.ZERO);
    static final WarmUp UNTIL_COMPILED = new WarmUp(Duration.ofSeconds(1), Duration.ofSeconds(20));

    private static final long QUIET_NS = Duration.ofSeconds(1).toNanos();

    /** Text for the header of the table. */
    String text()
    {
        return most.isZero() ? "no warm-up" : least.equals(most) ? "warmed up for " + most.toSeconds() + " s" :
            "warmed up until compilation ceased, at most " + most.toSeconds() + " s";
    }

    /**
     * Warms up.
     *
     * @param communicator communicator of the ranks.
     * @param rows         rows to run repeatedly.
     */
    void run(final Communicator communicator, final Runnable rows)
    {
        if (most.isZero())
        {
            return;
        }
        final long start = System.nanoTime();
        // Nanoseconds since the start: now, and when a compiler was last seen running. Both are the same on all ranks.
        final long[] state = { 0, 0 };
        while (state[0] < least.toNanos() || (state[0] < most.toNanos() && state[0] - state[1] < QUIET_NS))
        {
            final long passed = System.nanoTime();
            final long compiled = ProcessorTimeLoss.compiledNs();
            rows.run();
            if (ProcessorTimeLoss.compiledNs() - compiled > (System.nanoTime() - passed) * DisturbanceFilter.TOLERATED)
            {
                state[1] = System.nanoTime() - start;
                ProcessorTimeLoss.leaveCores();
            }
            state[0] = System.nanoTime() - start;
            communicator.allreduce(state, ReduceOp.MAX);
        }
    }
}
