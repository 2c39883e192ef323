/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The idle strategy of the coordinator: short parks for a while after each message, as others usually follow; medium
 * parks for a second if ranks wait for others; otherwise long parks, as the CPU belongs to the ranks, and even longer
 * ones after a second without messages, such as while ranks compute. Urgent commands unpark the thread.
 */
@SuppressWarnings("ThreadPriorityCheck") // Yields on purpose, as ranks may outnumber cores.
final class CoordinatorIdleStrategy
{
    private static final long AWAKE_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long HALF_AWAKE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long AWAKE_PARK_NS = 20_000;
    private static final long HALF_AWAKE_PARK_NS = 200_000;
    private static final long REST_PARK_NS = 4_000_000;
    private static final long LONG_REST_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long LONG_REST_PARK_NS = 16_000_000;
    private static final int YIELDS = 20;

    private long lastWorkNs = System.nanoTime();
    private int yields;

    void idle(final int work, final boolean isAwaited)
    {
        final long nowNs = System.nanoTime();
        if (work > 0)
        {
            lastWorkNs = nowNs;
            yields = 0;
        }
        else if (yields < YIELDS)
        {
            yields++;
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(restNs(nowNs - lastWorkNs, isAwaited));
        }
    }

    private static long restNs(final long silenceNs, final boolean isAwaited)
    {
        if (silenceNs < AWAKE_NS)
        {
            return AWAKE_PARK_NS;
        }
        if (isAwaited && silenceNs < HALF_AWAKE_NS)
        {
            return HALF_AWAKE_PARK_NS;
        }
        return silenceNs < LONG_REST_AFTER_NS ? REST_PARK_NS : LONG_REST_PARK_NS;
    }
}
