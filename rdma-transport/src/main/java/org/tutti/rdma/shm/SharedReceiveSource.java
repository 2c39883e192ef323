/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;

import static org.tutti.rdma.shm.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.shm.QueuePairEntry.RQ_TAKEN_OFFSET;

/** A queue pair's part in a shared receive queue: at most one receive in hand, and the event that it was the last. */
final class SharedReceiveSource implements ReceiveSource
{
    private final ShmContext context;
    private final long entry;
    private final ShmSharedReceiveQueue queue;
    private volatile boolean isLastTold;

    SharedReceiveSource(final ShmContext context, final long entry, final ShmSharedReceiveQueue queue)
    {
        this.context = context;
        this.entry = entry;
        this.queue = queue;
        UnsafeApi.putLong(entry + RQ_TAKEN_OFFSET, 0);
        UnsafeApi.putLong(entry + QueuePairEntry.SHARED_OFFSET, queue.address() - context.control());
    }

    boolean isOf(final ShmSharedReceiveQueue other)
    {
        return queue == other;
    }

    @Override
    public int post(final long wr)
    {
        return Errno.EINVAL;
    }

    @Override
    public void freed(final long ticket)
    {
        queue.freed(ticket);
    }

    @Override
    public boolean isPending()
    {
        return !isLastTold || Receives.isPending(entry);
    }

    @Override
    public void flushed()
    {
        if (!isLastTold)
        {
            isLastTold = true;
            AsyncEvents.raise(context.control(), context.token(), AsyncEventType.QP_LAST_WQE_REACHED,
                UnsafeApi.getInt(entry + QP_NUM_OFFSET));
        }
    }

    @Override
    public void reset()
    {
        final long held = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        if (held != 0)
        {
            UnsafeApi.putLong(entry + RQ_TAKEN_OFFSET, 0);
            queue.freed(held);
        }
        isLastTold = false;
    }

    @Override
    public void freeAll()
    {
        // The completions that were dropped have freed theirs.
    }

    @Override
    public void close()
    {
        // The queue is not its own.
    }
}
