/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.CompletionChannel;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.WaitCalls;
import org.tutti.rdma.soft.segment.CompletionRing;

import java.util.ArrayList;
import java.util.List;

/** A completion channel: a futex word in shared memory that producers change and waiters sleep on. */
public final class SoftCompletionChannel implements CompletionChannel
{
    /** Maximum time to sleep before checking again, in case a producer died before it woke the waiters. */
    private static final long MAX_SLEEP_NS = 100_000_000L;
    private static final int LENGTH = 64;

    private final SoftContext context;
    private final long wordOffset;
    private final long word;
    private final List<SoftCompletionQueue> queues = new ArrayList<>();
    private int next;
    private volatile boolean isClosed;

    SoftCompletionChannel(final SoftContext context)
    {
        this.context = context;
        wordOffset = context.heap().allocate(LENGTH, "ibv_create_comp_channel");
        word = context.control() + wordOffset;
    }

    SoftContext context()
    {
        return context;
    }

    long wordOffset()
    {
        return wordOffset;
    }

    synchronized void add(final SoftCompletionQueue queue)
    {
        queues.add(queue);
    }

    /**
     * Removes a queue that is being closed; after this returns, no thread accesses it.
     *
     * @param queue the queue that was added.
     */
    synchronized void remove(final SoftCompletionQueue queue)
    {
        queues.remove(queue);
    }

    @Override
    public CompletionQueue awaitEvent(final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        while (!isClosed)
        {
            final int seen = UnsafeApi.getIntVolatile(null, word);
            final CompletionQueue queue = takeEvent();
            final long leftNs = timeoutNs - (System.nanoTime() - startNs);
            if (queue != null || leftNs <= 0)
            {
                return queue;
            }
            context.handOver();
            WaitCalls.futexWait(word, seen, Math.min(leftNs, MAX_SLEEP_NS));
        }
        return null;
    }

    /** Takes an event, searching from the queue after the last one that had an event, so that no queue starves. */
    private synchronized CompletionQueue takeEvent()
    {
        final int size = queues.size();
        for (int i = 0; i < size; i++)
        {
            final int index = (next + i) % size;
            final SoftCompletionQueue queue = queues.get(index);
            if (queue.takeEvent())
            {
                next = index + 1;
                return queue;
            }
        }
        return null;
    }

    @Override
    public void close()
    {
        synchronized (this)
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
        }
        CompletionRing.wake(word);
        context.heap().free(wordOffset, LENGTH);
        context.release();
    }
}
