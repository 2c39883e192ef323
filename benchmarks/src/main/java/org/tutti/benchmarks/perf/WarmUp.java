/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.time.Duration;

/**
 * Runs whole rows, shortened and unprinted, before the table: what the JVM compiles in the meantime has seen
 * every branch that the timed rows take. Repeating only the calls is not enough: at the first branch that compiled code
 * has not seen, here the barrier before a row, the JVM throws it away, and on few cores a new compilation takes a tenth
 * of a second.
 *
 * <p>It ends once the JVMs of all ranks have compiled next to nothing for a second. How long that takes is the
 * machine's: on cores of which ranks occupy all, compilers get little of them. A JVM that compiles nothing, or does not
 * tell, is taken to be done.
 *
 * @param least minimum duration of the warm-up; 0 for none.
 * @param most  maximum duration: no pass begins after it, though the JVM still compiles.
 */
record WarmUp(Duration least, Duration most)
{
    static final WarmUp NONE = new WarmUp(Duration.ZERO, Duration.ZERO);
    static final WarmUp UNTIL_COMPILED = new WarmUp(Duration.ofSeconds(1), Duration.ofSeconds(20));

    private static final long QUIET_NS = Duration.ofSeconds(1).toNanos();

    /** As a line of the header says it. */
    String text()
    {
        return most.isZero() ? "no warm-up" : least.equals(most) ? "warmed up for " + most.toSeconds() + " s" :
            "warmed up until next to nothing was compiled, " + most.toSeconds() + " s at most";
    }

    /**
     * Warms up.
     *
     * @param communicator communicator of the ranks.
     * @param rows         rows to run again and again.
     */
    void run(final Communicator communicator, final Runnable rows)
    {
        if (most.isZero())
        {
            return;
        }
        final long start = System.nanoTime();
        // How long it has gone on, and when a compiler was last seen at work: the same on all ranks.
        final long[] state = { 0, 0 };
        while (state[0] < least.toNanos() || (state[0] < most.toNanos() && state[0] - state[1] < QUIET_NS))
        {
            final long passed = System.nanoTime();
            final long compiled = Disturbances.compiledNs();
            rows.run();
            if (Disturbances.compiledNs() - compiled > (System.nanoTime() - passed) * SteadyState.TOLERATED)
            {
                state[1] = System.nanoTime() - start;
                Disturbances.leaveCores();
            }
            state[0] = System.nanoTime() - start;
            communicator.allreduce(state, ReduceOp.MAX);
        }
    }
}
