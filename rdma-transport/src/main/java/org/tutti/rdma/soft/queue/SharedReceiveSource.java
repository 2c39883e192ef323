/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;

import static org.tutti.rdma.soft.segment.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.RQ_TAKEN_OFFSET;

/** A queue pair's view of a shared receive queue: at most one current receive, and the event QP_LAST_WQE_REACHED. */
public final class SharedReceiveSource implements ReceiveSource
{
    private final LocalQueuePair queuePair;
    private final long entry;
    private final SharedReceiveSlots slots;
    private volatile boolean isLastWqeRaised;

    /**
     * Writes the offset of the shared queue into the queue pair's entry.
     *
     * @param queuePair the queue pair that takes receives.
     * @param slots     slots of the shared queue.
     */
    public SharedReceiveSource(final LocalQueuePair queuePair, final SharedReceiveSlots slots)
    {
        this.queuePair = queuePair;
        this.slots = slots;
        entry = queuePair.entry();
        UnsafeApi.putLong(entry + RQ_TAKEN_OFFSET, 0);
        UnsafeApi.putLong(entry + QueuePairEntry.SHARED_OFFSET, slots.address() - queuePair.control());
    }

    /**
     * Whether this source takes from a given shared queue.
     *
     * @param other slots of the shared queue.
     * @return false for any other queue.
     */
    public boolean isOf(final SharedReceiveSlots other)
    {
        return slots == other;
    }

    @Override
    public int post(final long wr)
    {
        return Errno.EINVAL;
    }

    @Override
    public void freed(final long ticket)
    {
        slots.freed(ticket);
    }

    @Override
    public boolean isPending()
    {
        return !isLastWqeRaised || Receives.isPending(entry);
    }

    @Override
    public void flushed()
    {
        if (!isLastWqeRaised)
        {
            isLastWqeRaised = true;
            AsyncEvents.raise(queuePair.control(), queuePair.token(), AsyncEventType.QP_LAST_WQE_REACHED,
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
            slots.freed(held);
        }
        isLastWqeRaised = false;
    }

    @Override
    public void freeAll()
    {
        // Nothing to do: dropped completions have freed their receives.
    }

    @Override
    public void close()
    {
        // Nothing to free: the queue is shared.
    }
}
