/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.concurrent.TimeUnit;

/**
 * A clock that stands still while this process does not run: after a pause (SIGSTOP, a long garbage collection, a
 * suspended machine) peers must not be considered silent for its duration. Not thread-safe.
 */
public final class RunningClock
{
    private static final long MAX_STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private long lastNs;
    private long runningNs;

    /**
     * Creates a clock that starts at 0.
     *
     * @param nowNs the current time, by {@link System#nanoTime()}.
     */
    public RunningClock(final long nowNs)
    {
        lastNs = nowNs;
    }

    /**
     * Advances the clock by the time that this process ran. Must be called more often than twice a second.
     *
     * @param nowNs the current time, by {@link System#nanoTime()}.
     * @return the total running time of the process, in nanoseconds.
     */
    public long advance(final long nowNs)
    {
        runningNs += Math.min(nowNs - lastNs, MAX_STEP_NS);
        lastNs = nowNs;
        return runningNs;
    }
}
