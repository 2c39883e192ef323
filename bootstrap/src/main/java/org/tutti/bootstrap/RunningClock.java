/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.concurrent.TimeUnit;

/**
 * Time that stands still while this process does: after a pause (SIGSTOP, a long collection, a sleeping laptop) the
 * others' silence was our own deafness, and must not count against them. Not thread-safe.
 */
public final class RunningClock
{
    private static final long MAX_STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private long lastNs;
    private long runningNs;

    /**
     * A clock that stands at 0.
     *
     * @param nowNs current time by {@link System#nanoTime()}.
     */
    public RunningClock(final long nowNs)
    {
        lastNs = nowNs;
    }

    /**
     * Lets the time pass that this process ran; to be called more often than twice a second.
     *
     * @param nowNs current time by {@link System#nanoTime()}.
     * @return how long the process ran, in nanoseconds.
     */
    public long advance(final long nowNs)
    {
        runningNs += Math.min(nowNs - lastNs, MAX_STEP_NS);
        lastNs = nowNs;
        return runningNs;
    }
}
