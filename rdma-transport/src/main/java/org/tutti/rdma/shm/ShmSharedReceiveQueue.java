/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.SharedReceiveQueueAttributes;
import org.tutti.rdma.spi.Children;

/**
 * A shared receive queue: the owner's side of {@link SharedReceives}. A slot is free again when the receive's
 * completion was polled, which need not be in order, so free slots are kept in a list. The lock covers posting and that
 * list.
 */
final class ShmSharedReceiveQueue implements SharedReceiveQueue
{
    private static final String CREATE = "ibv_create_srq";
    private static final String MODIFY = "ibv_modify_srq";

    private final ShmProtectionDomain protectionDomain;
    private final ShmContext context;
    private final long control;
    private final int number;
    private final int maxSge;
    private final int slotSize;
    private final long entryOffset;
    private final long entry;
    private final SpinLock lock = new SpinLock();
    private final Children children = new Children("shared receive queue", "queue pairs");
    private long memoryOffset;
    private long memoryBytes;
    private int[] freeSlots;
    private int freeCount;
    private int capacity;
    private volatile long badReceiveRequest;
    private volatile boolean isClosed;

    ShmSharedReceiveQueue(
        final ShmProtectionDomain protectionDomain, final int number, final int capacity, final int maxSge)
    {
        this.protectionDomain = protectionDomain;
        this.number = number;
        this.capacity = capacity;
        this.maxSge = maxSge;
        context = protectionDomain.context();
        control = context.control();
        slotSize = SharedReceives.SLOT_HEADER + QueuePairEntry.RECEIVE_SGE_OFFSET + maxSge * ScatterGatherEntry.SIZE;
        entryOffset = context.heap().allocate(SharedReceives.SIZE, CREATE);
        entry = control + entryOffset;
        try
        {
            allocate(slots(capacity), CREATE);
        }
        catch (final RuntimeException e)
        {
            context.heap().free(entryOffset, SharedReceives.SIZE);
            throw e;
        }
        UnsafeApi.setMemory(entry, SharedReceives.SIZE, (byte)0);
        UnsafeApi.putInt(entry + SharedReceives.NUMBER_OFFSET, number);
        UnsafeApi.putInt(entry + SharedReceives.SLOT_SIZE_OFFSET, slotSize);
        // From 1, so that no claim is 0.
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
        memoryOffset = context.heap().allocate(memoryBytes, verb);
        UnsafeApi.setMemory(control + memoryOffset, memoryBytes, (byte)0);
        final int before = freeSlots == null ? 0 : freeSlots.length;
        final int[] free = new int[slots];
        System.arraycopy(freeSlots == null ? free : freeSlots, 0, free, 0, freeCount);
        // The lowest is given out first.
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

    ShmProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    int number()
    {
        return number;
    }

    long address()
    {
        return entry;
    }

    Children children()
    {
        return children;
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
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
                errno = isClosed ? Errno.EINVAL : post(wr);
                if (errno != 0)
                {
                    break;
                }
                wr = UnsafeApi.getLong(wr + ReceiveWorkRequest.NEXT_OFFSET);
            }
            badReceiveRequest = wr;
            return errno;
        }
        finally
        {
            lock.unlock();
        }
    }

    private int post(final long wr)
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
     * Takes a slot back whose completion was polled or dropped.
     *
     * @param ticket of the receive.
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

    @Override
    public long badReceiveRequest()
    {
        return badReceiveRequest;
    }

    @Override
    public SharedReceiveQueueAttributes query()
    {
        checkOpen("ibv_query_srq");
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

    @Override
    public void armLimit(final int limit)
    {
        checkOpen(MODIFY);
        if (limit < 0 || limit > capacity)
        {
            throw new RdmaException(Errno.EINVAL, MODIFY, "srq_limit " + limit + " is not from 0 to " + capacity +
                ", which the queue holds");
        }
        // What the arming before has to tell comes first.
        tellLimit();
        UnsafeApi.putIntVolatile(null, entry + SharedReceives.LIMIT_OFFSET, limit);
        if (SharedReceives.left(entry) < limit)
        {
            SharedAtomics.compareAndSetInt(entry + SharedReceives.LIMIT_OFFSET, limit, -limit);
            tellLimit();
        }
    }

    /** Makes the event, once, after somebody found fewer receives left than the limit. */
    synchronized void tellLimit()
    {
        if (isClosed)
        {
            return;
        }
        final int limit = UnsafeApi.getIntVolatile(null, entry + SharedReceives.LIMIT_OFFSET);
        if (limit < 0 && SharedAtomics.compareAndSetInt(entry + SharedReceives.LIMIT_OFFSET, limit, 0))
        {
            AsyncEvents.raise(control, context.token(), AsyncEventType.SRQ_LIMIT_REACHED, number);
        }
    }

    @Override
    public synchronized void resize(final int maxWorkRequests)
    {
        checkOpen(MODIFY);
        ShmProtectionDomain.checkRange(MODIFY, "max_wr", maxWorkRequests, 1, ShmContext.MAX_WORK_REQUESTS);
        context.whileStopped(queuePair -> queuePair.takesFrom(this), MODIFY, () -> resizeStopped(maxWorkRequests));
    }

    private void resizeStopped(final int maxWorkRequests)
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
        context.heap().free(oldOffset, oldBytes);
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (!children.close("ibv_destroy_srq"))
            {
                return;
            }
            lock.lock();
            isClosed = true;
            lock.unlock();
        }
        context.remove(this);
        context.heap().free(memoryOffset, memoryBytes);
        context.heap().free(entryOffset, SharedReceives.SIZE);
        protectionDomain.release();
    }

    private void checkOpen(final String verb)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, verb, "the shared receive queue is closed");
        }
    }
}
