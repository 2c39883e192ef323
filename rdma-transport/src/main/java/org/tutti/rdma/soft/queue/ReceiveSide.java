/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.SpinLock;

/** The receive side of a queue pair: posting, under its lock, and flushing in the error state. */
public final class ReceiveSide
{
    private static final int ERR = QueuePairState.ERR.ordinal();
    /** How long to wait for an executing peer; the progress thread continues after that. */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;
    /** Interval at which the progress thread tries again to acquire a guard held by a peer, which may be stopped. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final LocalQueuePair queuePair;
    private final long entry;
    private final SpinLock lock = new SpinLock();
    private final ReceiveSource source;
    private long badRequest;
    private volatile boolean isClosed;

    /**
     * Creates the receive side of a queue pair that is being created.
     *
     * @param queuePair queue pair.
     * @param source    source of the receives.
     */
    public ReceiveSide(final LocalQueuePair queuePair, final ReceiveSource source)
    {
        this.queuePair = queuePair;
        this.source = source;
        entry = queuePair.entry();
    }

    /** Acquires the lock of the receive side. */
    public void lock()
    {
        lock.lock();
    }

    /** Releases the lock of the receive side. */
    public void unlock()
    {
        lock.unlock();
    }

    /** Rejects requests from now on; called without the lock. */
    public void close()
    {
        isClosed = true;
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

    /**
     * Posts a chain of receives.
     *
     * @param receiveRequestAddress address of the first request.
     * @return 0, or the errno of the first rejected request.
     */
    public int post(final long receiveRequestAddress)
    {
        lock.lock();
        final int errno;
        try
        {
            errno = postAll(receiveRequestAddress);
        }
        finally
        {
            lock.unlock();
        }
        // A peer sets the error state, then flushes the receives that it sees; this thread posts, then reads the state.
        UnsafeApi.fullFence();
        if (flush() != Long.MAX_VALUE)
        {
            CompletionRing.wake(queuePair.control() + ControlLayout.DOORBELL_OFFSET);
        }
        return errno;
    }

    private int postAll(final long receiveRequestAddress)
    {
        long wr = receiveRequestAddress;
        int errno = 0;
        while (wr != 0)
        {
            errno = isClosed ? Errno.EINVAL : source.post(wr);
            if (errno != 0)
            {
                break;
            }
            wr = UnsafeApi.getLong(wr + ReceiveWorkRequest.NEXT_OFFSET);
        }
        badRequest = wr;
        return errno;
    }

    /**
     * Flushes the receives that are left if the queue pair is in the error state: those posted in that state, and those
     * that a killed peer had not flushed.
     *
     * @return delay until the next call, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    public long flush()
    {
        if (isClosed || QueuePairEntry.state(entry) != ERR || !source.isPending())
        {
            return Long.MAX_VALUE;
        }
        if (!queuePair.acquireGuard(SHORT_DEADLINE_NS))
        {
            return GUARD_PAUSE_NS;
        }
        try
        {
            if (QueuePairEntry.state(entry) == ERR)
            {
                Responder.flushReceives(queuePair.control(), entry, queuePair.token());
                source.flushed();
            }
        }
        finally
        {
            queuePair.releaseGuard();
        }
        return Long.MAX_VALUE;
    }
}
