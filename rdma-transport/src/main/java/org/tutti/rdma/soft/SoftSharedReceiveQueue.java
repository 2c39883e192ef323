/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.SharedReceiveQueue;
import org.tutti.rdma.SharedReceiveQueueAttributes;
import org.tutti.rdma.soft.queue.SharedReceiveSlots;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.SharedAtomics;
import org.tutti.rdma.soft.segment.SharedReceives;
import org.tutti.rdma.spi.Children;

/** A shared receive queue: its life cycle, limit and capacity. Its {@link SharedReceiveSlots} hold the receives. */
public final class SoftSharedReceiveQueue implements SharedReceiveQueue
{
    private static final String MODIFY = "ibv_modify_srq";

    private final SoftProtectionDomain protectionDomain;
    private final SoftContext context;
    private final int number;
    private final SharedReceiveSlots slots;
    private final long entry;
    private final Children children = new Children("shared receive queue", "queue pairs");
    private volatile boolean isClosed;

    SoftSharedReceiveQueue(
        final SoftProtectionDomain protectionDomain, final int number, final int capacity, final int maxSge)
    {
        this.protectionDomain = protectionDomain;
        this.number = number;
        context = protectionDomain.context();
        slots = new SharedReceiveSlots(context.heap(), number, capacity, maxSge);
        entry = slots.address();
    }

    SoftProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    int number()
    {
        return number;
    }

    /**
     * The slots that hold the receives.
     *
     * @return slots, owned by this queue.
     */
    public SharedReceiveSlots slots()
    {
        return slots;
    }

    Children children()
    {
        return children;
    }

    @Override
    public int postReceive(final long receiveRequestAddress)
    {
        return slots.post(receiveRequestAddress);
    }

    @Override
    public long badReceiveRequest()
    {
        return slots.badRequest();
    }

    @Override
    public SharedReceiveQueueAttributes query()
    {
        checkOpen("ibv_query_srq");
        return slots.query();
    }

    @Override
    public void armLimit(final int limit)
    {
        checkOpen(MODIFY);
        if (limit < 0 || limit > slots.capacity())
        {
            throw new RdmaException(Errno.EINVAL, MODIFY, "srq_limit " + limit + " is not from 0 to " +
                slots.capacity() + ", the capacity of the queue");
        }
        // Deliver the event of the previous limit first.
        raiseLimitEvent();
        UnsafeApi.putIntVolatile(null, entry + SharedReceives.LIMIT_OFFSET, limit);
        if (SharedReceives.left(entry) < limit)
        {
            SharedAtomics.compareAndSetInt(entry + SharedReceives.LIMIT_OFFSET, limit, -limit);
            raiseLimitEvent();
        }
    }

    /** Raises the limit event, once, after a peer found fewer receives left than the limit. */
    synchronized void raiseLimitEvent()
    {
        if (isClosed)
        {
            return;
        }
        final int limit = UnsafeApi.getIntVolatile(null, entry + SharedReceives.LIMIT_OFFSET);
        if (limit < 0 && SharedAtomics.compareAndSetInt(entry + SharedReceives.LIMIT_OFFSET, limit, 0))
        {
            AsyncEvents.raise(context.control(), context.token(), AsyncEventType.SRQ_LIMIT_REACHED, number);
        }
    }

    @Override
    public synchronized void resize(final int maxWorkRequests)
    {
        checkOpen(MODIFY);
        SoftProtectionDomain.checkRange(MODIFY, "max_wr", maxWorkRequests, 1, QueueLimits.MAX_WORK_REQUESTS);
        context.whileStopped(queuePair -> queuePair.takesFrom(this), MODIFY, () -> slots.resize(maxWorkRequests));
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
            isClosed = true;
            slots.close();
        }
        context.remove(this);
        slots.free();
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
