/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;

/**
 * The idle strategy of a waiting caller: low latency for an immediate reply, then low CPU usage, as the process that is
 * to reply may need the core. The longer the wait, the longer each park: about a hundredth of the wait so far, but at
 * most 4 ms.
 */
@SuppressWarnings("ThreadPriorityCheck") // Yields on purpose, as ranks may outnumber cores.
final class CallerIdleStrategy implements IdleStrategy
{
    private static final int SPINS = 50;
    private static final int YIELDS = 50;
    private static final int SHORT_PARKS = 200;
    private static final long SHORT_PARK_NS = 20_000;
    private static final long LONG_PARK_NS = 200_000;
    private static final long LONGEST_PARK_NS = 4_000_000;
    private static final long WAIT_PER_PARK = 100;

    private int count;
    private long parkedSinceNs;

    @Override
    public void idle(final int workCount)
    {
        if (workCount > 0)
        {
            reset();
        }
        else
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        count++;
        if (count <= SPINS)
        {
            Thread.onSpinWait();
        }
        else if (count <= SPINS + YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(parkNs());
        }
    }

    private long parkNs()
    {
        final int parks = count - SPINS - YIELDS;
        if (parks == 1)
        {
            parkedSinceNs = System.nanoTime();
        }
        return parks <= SHORT_PARKS ? SHORT_PARK_NS :
            Math.clamp((System.nanoTime() - parkedSinceNs) / WAIT_PER_PARK, LONG_PARK_NS, LONGEST_PARK_NS);
    }

    @Override
    public void reset()
    {
        count = 0;
    }
}
