/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.soft.segment.Heap;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;

/**
 * A queue pair's own receives, in shared memory, where the peer takes them. A slot is free again once the receive's
 * completion was polled. Posting requires the lock of the receive side; allocates nothing.
 */
public final class ReceiveQueue implements ReceiveSource
{
    private static final int RESET = QueuePairState.RESET.ordinal();

    private final Heap heap;
    private final long control;
    private final long entry;
    private final int capacity;
    private final int maxSge;
    private final long offset;
    private final long bytes;

    /**
     * Creates an empty queue and writes its offset into the queue pair's entry.
     *
     * @param heap     heap of the owner's segment.
     * @param entry    entry of the queue pair.
     * @param capacity maximum number of receives.
     * @param maxSge   maximum number of entries of a scatter list.
     */
    public ReceiveQueue(final Heap heap, final long entry, final int capacity, final int maxSge)
    {
        this.heap = heap;
        control = heap.control();
        this.entry = entry;
        this.capacity = capacity;
        this.maxSge = maxSge;
        final int slots = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        final int slotSize = QueuePairEntry.RECEIVE_SGE_OFFSET + maxSge * ScatterGatherEntry.SIZE;
        bytes = (long)slots * slotSize;
        offset = heap.allocate(bytes, "ibv_create_qp");
        UnsafeApi.putInt(entry + QueuePairEntry.RQ_CAPACITY_OFFSET, slots);
        UnsafeApi.putInt(entry + QueuePairEntry.RQ_SLOT_SIZE_OFFSET, slotSize);
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_OFFSET, offset);
        UnsafeApi.putLong(entry + QueuePairEntry.SHARED_OFFSET, 0);
        // Positions continue from the previous queue pair of this entry, because peers rely on them never decreasing.
        freeAll();
        reset();
    }

    @Override
    public int post(final long wr)
    {
        final int count = UnsafeApi.getInt(wr + ReceiveWorkRequest.NUM_SGE_OFFSET);
        if (QueuePairEntry.state(entry) == RESET || count < 0 || count > maxSge)
        {
            return Errno.EINVAL;
        }
        final long posted = posted();
        if (posted - UnsafeApi.getLongVolatile(null, entry + QueuePairEntry.RQ_FREED_OFFSET) >= capacity)
        {
            return Errno.ENOMEM;
        }
        final long slot = QueuePairEntry.receiveSlot(control, entry, posted);
        write(slot, wr, count);
        UnsafeApi.putLongRelease(null, entry + QueuePairEntry.RQ_POSTED_OFFSET, posted + 1);
        return 0;
    }

    /**
     * Copies a request.
     *
     * @param slot  destination slot.
     * @param wr    work request.
     * @param count entries of its scatter list.
     */
    static void write(final long slot, final long wr, final int count)
    {
        UnsafeApi.putLong(slot, UnsafeApi.getLong(wr + ReceiveWorkRequest.WR_ID_OFFSET));
        UnsafeApi.putInt(slot + QueuePairEntry.RECEIVE_NUM_SGE_OFFSET, count);
        final long list = UnsafeApi.getLong(wr + ReceiveWorkRequest.SG_LIST_OFFSET);
        for (int i = 0; i < count * ScatterGatherEntry.SIZE; i += Long.BYTES)
        {
            UnsafeApi.putLong(slot + QueuePairEntry.RECEIVE_SGE_OFFSET + i, UnsafeApi.getLong(list + i));
        }
    }

    @Override
    public void freed(final long ticket)
    {
        UnsafeApi.putLongRelease(null, entry + QueuePairEntry.RQ_FREED_OFFSET, ticket);
    }

    @Override
    public boolean isPending()
    {
        return Receives.isPending(entry);
    }

    @Override
    public void flushed()
    {
        // Nothing to do: each receive has generated a completion.
    }

    @Override
    public void reset()
    {
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET, posted());
    }

    @Override
    public void freeAll()
    {
        UnsafeApi.putLongRelease(null, entry + QueuePairEntry.RQ_FREED_OFFSET, posted());
    }

    @Override
    public void close()
    {
        heap.free(offset, bytes);
    }

    private long posted()
    {
        return UnsafeApi.getLong(entry + QueuePairEntry.RQ_POSTED_OFFSET);
    }
}
