/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.CompletionQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.soft.queue.ReceiveSource;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.Heap;
import org.tutti.rdma.soft.segment.SpinLock;
import org.tutti.rdma.spi.Children;

/** A completion queue: the consumer side of a {@link CompletionRing}. One thread polls at a time; others wait. */
public final class SoftCompletionQueue implements CompletionQueue
{
    private static final String RESIZE = "ibv_resize_cq";
    private static final int EMPTY_POLLS_BETWEEN_CHECKS = 1 << 12;

    private final SoftContext context;
    private final SoftCompletionChannel channel;
    private final int number;
    private final long offset;
    private final long control;
    private final long ring;
    private final SpinLock lock = new SpinLock();
    private final Children children = new Children("completion queue", "queue pairs");
    private volatile int capacity;
    /** Offset of the slots after a resize, 0 while they follow the header. */
    private long movedSlots;
    private int emptyPolls;
    private boolean isOverrunHandled;
    private volatile boolean isClosed;

    SoftCompletionQueue(
        final SoftContext context, final int capacity, final SoftCompletionChannel channel, final int number)
    {
        this.context = context;
        this.channel = channel;
        this.number = number;
        this.capacity = capacity;
        offset = context.heap().allocate(CompletionRing.length(capacity), "ibv_create_cq");
        control = context.control();
        ring = control + offset;
        CompletionRing.init(ring, capacity, channel == null ? 0 : channel.wordOffset(), number);
        if (channel != null)
        {
            channel.add(this);
        }
    }

    /**
     * The ring to which producers add completions.
     *
     * @return address of the ring.
     */
    public long ring()
    {
        return ring;
    }

    int number()
    {
        return number;
    }

    Children children()
    {
        return children;
    }

    @Override
    public int capacity()
    {
        return capacity;
    }

    @Override
    public synchronized void resize(final int newCapacity)
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EINVAL, RESIZE, "the completion queue is closed");
        }
        SoftContext.checkCapacity(newCapacity, RESIZE);
        context.whileStopped(queuePair -> queuePair.uses(this), RESIZE, () -> resizeStopped(newCapacity));
    }

    /** Resizes the queue. The caller has stopped the queue pairs that use it, and keeps it from being closed. */
    private void resizeStopped(final int newCapacity)
    {
        lock.lock();
        try
        {
            final int held = CompletionRing.held(ring, CompletionRing.head(ring));
            if (held > newCapacity)
            {
                throw new RdmaException(Errno.EINVAL, RESIZE, "capacity " + newCapacity + " is less than the " +
                    held + " completions in the queue; poll them first");
            }
            final long slots = context.heap().allocate(CompletionRing.slotsLength(newCapacity), RESIZE);
            UnsafeApi.setMemory(context.control() + slots, CompletionRing.slotsLength(newCapacity), (byte)0);
            CompletionRing.move(control, ring, newCapacity, control + slots);
            freeSlots();
            movedSlots = slots;
            capacity = newCapacity;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Frees all pages except that of the header, which never moves. */
    private void freeSlots()
    {
        final long length = CompletionRing.length(capacity);
        if (movedSlots != 0)
        {
            context.heap().free(movedSlots, CompletionRing.slotsLength(capacity));
        }
        else if (length > Heap.PAGE)
        {
            context.heap().free(offset + Heap.PAGE, length - Heap.PAGE);
        }
    }

    @Override
    public int poll(final long completionAddress, final int maxEntries)
    {
        final int count;
        boolean isOverrun = false;
        lock.lock();
        try
        {
            if (isClosed)
            {
                return -Errno.EINVAL;
            }
            count = take(completionAddress, maxEntries);
            if (count == 0 && maxEntries > 0)
            {
                isOverrun = CompletionRing.isOverrun(ring);
                if (!isOverrun && ++emptyPolls % EMPTY_POLLS_BETWEEN_CHECKS == 0)
                {
                    skipDead();
                }
            }
        }
        finally
        {
            lock.unlock();
        }
        if (isOverrun)
        {
            context.handleOverruns();
            return -Errno.ENOMEM;
        }
        if (count == 0 && maxEntries > 0)
        {
            context.progress();
        }
        return count;
    }

    private int take(final long completionAddress, final int maxEntries)
    {
        final int start = CompletionRing.head(ring);
        int head = start;
        int count = 0;
        while (count < maxEntries)
        {
            final long slot = CompletionRing.peek(control, ring, head);
            if (slot == 0)
            {
                break;
            }
            head++;
            if (isDelivered(slot))
            {
                copy(slot, completionAddress + (long)count * WorkCompletion.SIZE);
                count++;
            }
        }
        if (head != start)
        {
            CompletionRing.head(ring, head);
        }
        return count;
    }

    /** Frees the request's slot; false if the completion is not to be delivered. */
    private boolean isDelivered(final long slot)
    {
        final long frees = UnsafeApi.getLong(slot + CompletionRing.FREES_OFFSET);
        final SoftQueuePair queuePair = context.queuePair(UnsafeApi.getInt(slot + WorkCompletion.QP_NUM_OFFSET));
        if (frees == CompletionRing.VOID || queuePair == null)
        {
            return false;
        }
        if (frees < 0)
        {
            queuePair.receives().freed(-frees);
        }
        else
        {
            queuePair.sendQueue().freed(frees);
        }
        return true;
    }

    private static void copy(final long slot, final long completion)
    {
        for (int i = 0; i < WorkCompletion.SIZE; i += Long.BYTES)
        {
            UnsafeApi.putLong(completion + i, UnsafeApi.getLong(slot + i));
        }
    }

    /**
     * Skips slots of producers that were killed before they published, as these would block later completions. The
     * caller holds the lock.
     */
    private void skipDead()
    {
        while (isNextDead())
        {
            CompletionRing.head(ring, CompletionRing.head(ring) + 1);
        }
    }

    private boolean isNextDead()
    {
        final int head = CompletionRing.head(ring);
        if (CompletionRing.peek(control, ring, head) != 0)
        {
            return false;
        }
        final int claimant = CompletionRing.claimant(control, ring, head);
        // Checked again, because the producer may have published before it died.
        return claimant != 0 && context.isDead(claimant) && CompletionRing.peek(control, ring, head) == 0;
    }

    /**
     * Drops the completions of a queue pair that was reset or destroyed, and that therefore adds no more completions.
     *
     * @param qpNum    queue pair number.
     * @param receives source of the receives to free.
     */
    void purge(final int qpNum, final ReceiveSource receives)
    {
        lock.lock();
        try
        {
            final int head = CompletionRing.head(ring);
            final int tail = head + CompletionRing.held(ring, head);
            for (int position = head; position != tail; position++)
            {
                final long slot = CompletionRing.peek(control, ring, position);
                if (slot != 0 && UnsafeApi.getInt(slot + WorkCompletion.QP_NUM_OFFSET) == qpNum)
                {
                    final long frees = UnsafeApi.getLong(slot + CompletionRing.FREES_OFFSET);
                    UnsafeApi.putLong(slot + CompletionRing.FREES_OFFSET, CompletionRing.VOID);
                    if (frees < 0 && frees != CompletionRing.VOID)
                    {
                        receives.freed(-frees);
                    }
                }
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Whether the queue overran and its queue pairs are still to be moved to the error state, which the caller does.
     *
     * @return true on the first call after an overrun, else false.
     */
    boolean takeOverrun()
    {
        if (isOverrunHandled || !CompletionRing.isOverrun(ring))
        {
            return false;
        }
        isOverrunHandled = true;
        return true;
    }

    boolean takeEvent()
    {
        return CompletionRing.takeEvent(ring);
    }

    @Override
    public void requestNotify(final boolean solicitedOnly)
    {
        if (channel == null)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_req_notify_cq",
                "the completion queue has no channel; give createCompletionQueue one");
        }
        lock.lock();
        try
        {
            if (isClosed)
            {
                throw new RdmaException(Errno.EINVAL, "ibv_req_notify_cq", "the completion queue is closed");
            }
            CompletionRing.arm(ring, solicitedOnly);
            if (CompletionRing.tail(ring) != CompletionRing.head(ring))
            {
                // A thread that is about to sleep does not poll often enough to detect dead producers.
                skipDead();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public void close()
    {
        synchronized (this)
        {
            if (!children.close("ibv_destroy_cq"))
            {
                return;
            }
            lock.lock();
            isClosed = true;
            lock.unlock();
        }
        if (channel != null)
        {
            channel.remove(this);
        }
        context.remove(this);
        freeSlots();
        context.heap().free(offset, Heap.PAGE);
    }
}
