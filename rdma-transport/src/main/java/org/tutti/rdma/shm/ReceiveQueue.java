/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;

/**
 * The receives of a queue pair, in shared memory, where the peer takes them. A slot is free again when the receive's
 * completion was polled. Posting is done under the lock of the receive side; allocates nothing.
 */
final class ReceiveQueue
{
    private static final int RESET = QueuePairState.RESET.ordinal();

    private final long control;
    private final long entry;
    private final int capacity;
    private final int maxSge;
    private final long offset;
    private final long bytes;
    private volatile long freed;

    /**
     * Makes an empty queue and writes where it is into the queue pair's entry.
     *
     * @param context  of the owner.
     * @param entry    of the queue pair.
     * @param capacity receives.
     * @param maxSge   entries of a scatter list.
     */
    ReceiveQueue(final ShmContext context, final long entry, final int capacity, final int maxSge)
    {
        this.control = context.control();
        this.entry = entry;
        this.capacity = capacity;
        this.maxSge = maxSge;
        final int slots = Integer.highestOneBit(Math.max(1, capacity) * 2 - 1);
        final int slotSize = QueuePairEntry.RECEIVE_SGE_OFFSET + maxSge * ScatterGatherEntry.SIZE;
        bytes = (long)slots * slotSize;
        offset = context.heap().allocate(bytes, "ibv_create_qp");
        UnsafeApi.putInt(entry + QueuePairEntry.RQ_CAPACITY_OFFSET, slots);
        UnsafeApi.putInt(entry + QueuePairEntry.RQ_SLOT_SIZE_OFFSET, slotSize);
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_OFFSET, offset);
        // Positions go on from the queue pair that had the entry before: peers rely on them never falling.
        freed = posted();
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET, freed);
    }

    /**
     * Posts one receive.
     *
     * @param wr address of the request.
     * @return 0, or the errno that refuses it.
     */
    int post(final long wr)
    {
        final int count = UnsafeApi.getInt(wr + ReceiveWorkRequest.NUM_SGE_OFFSET);
        if (QueuePairEntry.state(entry) == RESET || count < 0 || count > maxSge)
        {
            return Errno.EINVAL;
        }
        final long posted = posted();
        if (posted - freed >= capacity)
        {
            return Errno.ENOMEM;
        }
        final long slot = QueuePairEntry.receiveSlot(control, entry, posted);
        UnsafeApi.putLong(slot, UnsafeApi.getLong(wr + ReceiveWorkRequest.WR_ID_OFFSET));
        UnsafeApi.putInt(slot + QueuePairEntry.RECEIVE_NUM_SGE_OFFSET, count);
        final long list = UnsafeApi.getLong(wr + ReceiveWorkRequest.SG_LIST_OFFSET);
        for (int i = 0; i < count * ScatterGatherEntry.SIZE; i += Long.BYTES)
        {
            UnsafeApi.putLong(slot + QueuePairEntry.RECEIVE_SGE_OFFSET + i, UnsafeApi.getLong(list + i));
        }
        UnsafeApi.putLongRelease(null, entry + QueuePairEntry.RQ_POSTED_OFFSET, posted + 1);
        return 0;
    }

    /**
     * Notes that a completion was polled.
     *
     * @param position up to which slots are free, exclusive.
     * @return false when that was known: the completion is a second one.
     */
    boolean freed(final long position)
    {
        if (position <= freed)
        {
            return false;
        }
        freed = position;
        return true;
    }

    /**
     * Whether there are receives that nobody took.
     *
     * @return what was so a moment ago, unless the queue pair's guard is held.
     */
    boolean isPending()
    {
        return UnsafeApi.getLongVolatile(null, entry + QueuePairEntry.RQ_TAKEN_OFFSET) !=
            UnsafeApi.getLongVolatile(null, entry + QueuePairEntry.RQ_POSTED_OFFSET);
    }

    /** Takes all receives back; called with the queue pair's guard and the lock of the receive side held. */
    void reset()
    {
        UnsafeApi.putLong(entry + QueuePairEntry.RQ_TAKEN_OFFSET, posted());
    }

    /** Frees all slots, after {@link #reset} and once no completion of theirs can be polled any more. */
    void freeAll()
    {
        freed = posted();
    }

    void free(final Heap heap)
    {
        heap.free(offset, bytes);
    }

    private long posted()
    {
        return UnsafeApi.getLong(entry + QueuePairEntry.RQ_POSTED_OFFSET);
    }
}
