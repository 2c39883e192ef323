/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;

/**
 * The completion queues of two devices, polled as one. The queue that is polled first alternates, so that a busy queue
 * does not starve the other. Not thread-safe; allocates nothing.
 */
final class MergedCompletionQueue implements CompletionQueue
{
    private CompletionQueue next;
    private CompletionQueue last;

    MergedCompletionQueue(final CompletionQueue one, final CompletionQueue other)
    {
        next = one;
        last = other;
    }

    @Override
    public int poll(final long completionAddress, final int maxEntries)
    {
        final CompletionQueue first = next;
        final CompletionQueue second = last;
        next = second;
        last = first;
        final int polled = first.poll(completionAddress, maxEntries);
        if (polled < 0 || polled == maxEntries)
        {
            return polled;
        }
        final int more =
            second.poll(completionAddress + (long)polled * WorkCompletion.SIZE, maxEntries - polled);
        // An error persists and is returned by the next poll.
        return more >= 0 ? polled + more : polled == 0 ? more : polled;
    }

    /** Not supported: a thread cannot sleep on both queues, and events that are not awaited would accumulate. */
    @Override
    public void requestNotify(final boolean solicitedOnly)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_req_notify_cq",
            "a merged completion queue cannot be armed: arm one of its two queues");
    }

    @Override
    public int capacity()
    {
        return next.capacity() + last.capacity();
    }

    /** Not supported: each queue has its own length. */
    @Override
    public void resize(final int newCapacity)
    {
        throw new RdmaException(Errno.EOPNOTSUPP, "ibv_resize_cq",
            "a merged completion queue cannot be resized: resize its two queues");
    }

    @Override
    public void close()
    {
        next.close();
        last.close();
    }
}
