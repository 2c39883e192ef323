/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SharedReceiveQueueAttributes;
import org.tutti.rdma.soft.segment.Heap;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.SegmentBounds;
import org.tutti.rdma.soft.segment.SharedReceives;
import org.tutti.rdma.soft.segment.SpinLock;

/**
 * The slots of a shared receive queue on the owner's side, the counterpart of {@link SharedReceives}. A slot is free
 * again once the receive's completion was polled, which need not be in order, so free slots are kept in a list. The
 * lock covers posting and that list. Thread-safe; posting and freeing allocate nothing.
 */
public final class SharedReceiveSlots
{
    private static final String CREATE = "ibv_create_srq";
    private static final String MODIFY = "ibv_modify_srq";

    private final Heap heap;
    private final long control;
    private final int maxSge;
    private final int slotSize;
    private final long entryOffset;
    private final long entry;
    private final SpinLock lock = new SpinLock();
    private long memoryOffset;
    private long memoryBytes;
    private int[] freeSlots;
    private int freeCount;
    private int capacity;
    private volatile long badRequest;
    private volatile boolean isClosed;

    /**
     * Creates an empty queue.
     *
     * @param heap     heap of the owner's segment.
     * @param number   number of the queue, for events.
     * @param capacity maximum number of receives.
     * @param maxSge   maximum number of entries of a scatter list.
     */
    public SharedReceiveSlots(final Heap heap, final int number, final int capacity, final int maxSge)
    {
        this.heap = heap;
        this.maxSge = maxSge;
        this.capacity = capacity;
        control = heap.control();
        slotSize = SharedReceives.SLOT_HEADER + QueuePairEntry.RECEIVE_SGE_OFFSET + maxSge * ScatterGatherEntry.SIZE;
        entryOffset = heap.allocate(SharedReceives.SIZE, CREATE);
        entry = control + entryOffset;
        try
        {
            allocate(slots(capacity), CREATE);
        }
        catch (final RuntimeException e)
        {
            heap.free(entryOffset, SharedReceives.SIZE);
            throw e;
        }
        UnsafeApi.setMemory(entry, SharedReceives.SIZE, (byte)0);
        UnsafeApi.putInt(entry + SharedReceives.NUMBER_OFFSET, number);
        UnsafeApi.putInt(entry + SharedReceives.SLOT_SIZE_OFFSET, slotSize);
        // Starts at 1, so that no claim is 0.
        UnsafeApi.putLong(entry + SharedReceives.TAKEN_OFFSET, 1);
        UnsafeApi.putLong(entry + SharedReceives.POSTED_OFFSET, 1);
        publish(slots(capacity));
    }

    private static int slots(final int capacity)
    {
        return Integer.highestOneBit(capacity * 2 - 1);
    }

    private void allocate(final int slots, final String verb)
    {
        memoryBytes = (long)slots * (Integer.BYTES + slotSize);
        memoryOffset = heap.allocate(memoryBytes, verb);
        UnsafeApi.setMemory(control + memoryOffset, memoryBytes, (byte)0);
        final int before = freeSlots == null ? 0 : freeSlots.length;
        final int[] free = new int[slots];
        System.arraycopy(freeSlots == null ? free : freeSlots, 0, free, 0, freeCount);
        // The lowest slot is used first.
        for (int slot = slots - 1; slot >= before; slot--)
        {
            free[freeCount++] = slot;
        }
        freeSlots = free;
    }

    private void publish(final int slots)
    {
        UnsafeApi.putInt(entry + SharedReceives.MASK_OFFSET, slots - 1);
        UnsafeApi.putLong(entry + SharedReceives.SLOTS_OFFSET, memoryOffset);
        UnsafeApi.putLongVolatile(null, entry + SharedReceives.RING_OFFSET, memoryOffset + (long)slots * slotSize);
    }

    /**
     * The address at which peers find the queue.
     *
     * @return address of the {@link SharedReceives} in the segment.
     */
    public long address()
    {
        return entry;
    }

    /**
     * The request that the last {@link #post} rejected.
     *
     * @return address of the request, 0 after success.
     */
    public long badRequest()
    {
        return badRequest;
    }

    public int capacity()
    {
        return capacity;
    }

    /**
     * Posts a chain of receives.
     *
     * @param receiveRequestAddress address of the first request.
     * @return 0, or the errno of the first rejected request.
     */
    public int post(final long receiveRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        lock.lock();
        try
        {
            long wr = receiveRequestAddress;
            int errno = 0;
            while (wr != 0)
            {
                errno = isClosed ? Errno.EINVAL : postOne(wr);
                if (errno != 0)
                {
                    break;
                }
                wr = UnsafeApi.getLong(wr + ReceiveWorkRequest.NEXT_OFFSET);
            }
            badRequest = wr;
            return errno;
        }
        finally
        {
            lock.unlock();
        }
    }

    private int postOne(final long wr)
    {
        final int count = UnsafeApi.getInt(wr + ReceiveWorkRequest.NUM_SGE_OFFSET);
        if (count < 0 || count > maxSge)
        {
            return Errno.EINVAL;
        }
        if (outstanding() >= capacity)
        {
            return Errno.ENOMEM;
        }
        final int index = freeSlots[--freeCount];
        final long position = UnsafeApi.getLong(entry + SharedReceives.POSTED_OFFSET);
        final long slot = SharedReceives.slot(control, entry, index + 1L);
        ReceiveQueue.write(slot, wr, count);
        UnsafeApi.putLongRelease(null, slot - SharedReceives.SLOT_HEADER, SharedReceives.claim(position, 0));
        UnsafeApi.putInt(SharedReceives.ringEntry(control, entry, position), index);
        UnsafeApi.putLongRelease(null, entry + SharedReceives.POSTED_OFFSET, position + 1);
        return 0;
    }

    private int outstanding()
    {
        return freeSlots.length - freeCount;
    }

    /**
     * Frees the slot of a receive whose completion was polled or dropped.
     *
     * @param ticket ticket of the receive.
     */
    void freed(final long ticket)
    {
        lock.lock();
        try
        {
            final int index = (int)SegmentBounds.count(
                SharedReceives.index(ticket), freeSlots.length - 1, "the index of a shared receive");
            SegmentBounds.count(freeCount, freeSlots.length - 1, "the number of free shared receives");
            UnsafeApi.putLongVolatile(
                null, SharedReceives.slot(control, entry, ticket) - SharedReceives.SLOT_HEADER, 0);
            freeSlots[freeCount++] = index;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The current attributes.
     *
     * @return a snapshot, with limit 0 if none is armed.
     */
    public SharedReceiveQueueAttributes query()
    {
        lock.lock();
        try
        {
            final int limit = UnsafeApi.getIntVolatile(null, entry + SharedReceives.LIMIT_OFFSET);
            return new SharedReceiveQueueAttributes(capacity, maxSge, Math.max(0, limit));
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Changes the capacity while no peer executes on the queue pairs that take from this queue.
     *
     * @param maxWorkRequests new maximum number of work requests.
     * @throws RdmaException with EINVAL if more receives are posted, or completed and not polled.
     */
    public void resize(final int maxWorkRequests)
    {
        lock.lock();
        try
        {
            if (outstanding() > maxWorkRequests)
            {
                throw new RdmaException(Errno.EINVAL, MODIFY, "max_wr " + maxWorkRequests + " is less than the " +
                    outstanding() + " receives that are posted, or completed and not polled");
            }
            if (slots(maxWorkRequests) > freeSlots.length)
            {
                move(slots(maxWorkRequests));
            }
            capacity = maxWorkRequests;
        }
        finally
        {
            lock.unlock();
        }
    }

    private void move(final int slots)
    {
        final int before = freeSlots.length;
        final long oldOffset = memoryOffset;
        final long oldBytes = memoryBytes;
        final long taken = UnsafeApi.getLong(entry + SharedReceives.TAKEN_OFFSET);
        final long posted = UnsafeApi.getLong(entry + SharedReceives.POSTED_OFFSET);
        allocate(slots, MODIFY);
        UnsafeApi.copyMemory(control + oldOffset, control + memoryOffset, (long)before * slotSize);
        final long oldRing = control + oldOffset + (long)before * slotSize;
        publish(slots);
        for (long position = taken; position != posted; position++)
        {
            UnsafeApi.putInt(SharedReceives.ringEntry(control, entry, position),
                UnsafeApi.getInt(oldRing + (position & (before - 1)) * Integer.BYTES));
        }
        heap.free(oldOffset, oldBytes);
    }

    /** Rejects requests from now on. */
    public void close()
    {
        lock.lock();
        isClosed = true;
        lock.unlock();
    }

    /** Frees the memory, after {@link #close} and once no queue pair takes from the queue. */
    public void free()
    {
        heap.free(memoryOffset, memoryBytes);
        heap.free(entryOffset, SharedReceives.SIZE);
    }
}
