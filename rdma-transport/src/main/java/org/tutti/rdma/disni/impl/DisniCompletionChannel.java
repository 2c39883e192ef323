/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A completion channel. DiSNI does not report which queue of a channel has an event, so each queue has a separate DiSNI
 * channel, and a thread that waits for several queues polls their channels in turn. Thread-safe.
 */
final class DisniCompletionChannel implements CompletionChannel
{
    /** Maximum duration of one wait, by which closing a queue can be delayed. */
    private static final int MAX_SLEEP_MS = 100;
    private static final long NS_PER_MS = 1_000_000;

    private final DisniContext context;
    private final List<DisniCompletionQueue> queues = new ArrayList<>();
    private int next;
    private volatile boolean isClosed;

    DisniCompletionChannel(final DisniContext context)
    {
        this.context = context;
    }

    DisniContext context()
    {
        return context;
    }

    synchronized void add(final DisniCompletionQueue queue)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", "the channel is closed");
        }
        queues.add(queue);
    }

    synchronized void remove(final DisniCompletionQueue queue)
    {
        queues.remove(queue);
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        long leftNs = timeoutNs;
        do
        {
            final DisniCompletionQueue queue = nextQueue();
            if (queue != null && queue.awaitEvent(sleepMs(leftNs)))
            {
                return queue;
            }
            if (queue == null && !pause(leftNs))
            {
                return null;
            }
            leftNs = timeoutNs - (System.nanoTime() - startNs);
        }
        while (leftNs > 0);
        return null;
    }

    private synchronized DisniCompletionQueue nextQueue()
    {
        if (queues.isEmpty())
        {
            return null;
        }
        next = (next + 1) % queues.size();
        return queues.get(next);
    }

    private synchronized int sleepMs(final long leftNs)
    {
        final long leftMs = (Math.max(0, leftNs) + NS_PER_MS - 1) / NS_PER_MS;
        return (int)Math.min(leftMs, queues.size() > 1 ? 1 : MAX_SLEEP_MS);
    }

    /**
     * Called while the channel has no queue: waits for the rest of the timeout, at most {@value #MAX_SLEEP_MS} ms;
     * returns false if the channel is closed.
     */
    private boolean pause(final long leftNs)
    {
        if (!isClosed && leftNs > 0)
        {
            LockSupport.parkNanos(Math.min(MAX_SLEEP_MS * NS_PER_MS, leftNs));
        }
        return !isClosed;
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        if (!queues.isEmpty())
        {
            throw new RdmaException(Errno.EBUSY, "ibv_destroy_comp_channel",
                queues.size() + " completion queues still use it; close them first");
        }
        isClosed = true;
        context.children().release();
    }
}
