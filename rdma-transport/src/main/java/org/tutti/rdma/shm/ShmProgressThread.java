/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.WaitCalls;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.util.concurrent.locks.LockSupport;

/**
 * Retries requests that could not be executed when posted, for programs that neither post nor poll in the meantime, and
 * handles state changes that peers made to this context's queues. Sleeps on the context's doorbell while idle.
 */
final class ShmProgressThread extends Thread
{
    private static final long MAX_SLEEP_NS = 1_000_000_000L;
    private static final long PAUSE_NS = 10_000_000L;

    private final ShmContext context;
    private final long doorbell;
    private volatile boolean isStopped;

    ShmProgressThread(final ShmContext context)
    {
        super("tutti-shm-progress-" + context.index());
        setDaemon(true);
        this.context = context;
        doorbell = context.control() + ControlLayout.DOORBELL_OFFSET;
    }

    @Override
    public void run()
    {
        while (!isStopped)
        {
            try
            {
                progress();
            }
            catch (final RdmaException | InternalError e)
            {
                // The segment is corrupt or truncated: threads that post or poll get the error. Intact queues keep
                // working.
                LockSupport.parkNanos(PAUSE_NS);
            }
        }
    }

    private void progress()
    {
        final int seen = UnsafeApi.getIntVolatile(null, doorbell);
        context.attend();
        final long pauseNs = Math.min(context.backlogs().progress(), context.flushReceives());
        if (!isStopped)
        {
            WaitCalls.futexWait(doorbell, seen, Math.min(pauseNs, MAX_SLEEP_NS));
        }
    }

    /** Stops the thread and waits for it, so that the segment can be unmapped. */
    void shutdown()
    {
        isStopped = true;
        boolean isInterrupted = false;
        while (isAlive())
        {
            CompletionRing.wake(doorbell);
            try
            {
                join(100);
            }
            catch (final InterruptedException e)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
