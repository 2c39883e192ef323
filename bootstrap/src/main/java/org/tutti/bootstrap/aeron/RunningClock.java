/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.TimeUnit;

/**
 * Time that stands still while this process does: after a pause (SIGSTOP, a long collection, a sleeping laptop) the
 * others' silence was our own deafness, and must not count against them. Not thread-safe.
 */
final class RunningClock
{
    private static final long MAX_STEP_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private long lastNs;
    private long runningNs;

    RunningClock(final long nowNs)
    {
        lastNs = nowNs;
    }

    long advance(final long nowNs)
    {
        runningNs += Math.min(nowNs - lastNs, MAX_STEP_NS);
        lastNs = nowNs;
        return runningNs;
    }
}
