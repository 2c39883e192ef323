/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ReceiveWorkRequest;

/** The receive side of a queue pair: posting, under its lock, and flushing what is left in the error state. */
final class ReceiveSide
{
    private static final int ERR = QueuePairState.ERR.ordinal();
    /** How long to wait for a peer that executes; the progress thread does what is left. */
    private static final long SHORT_DEADLINE_NS = 1_000_000L;
    /** How soon the progress thread asks again for the guard that a peer, which may be stopped, keeps. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final ShmContext context;
    private final long control;
    private final long entry;
    private final SpinLock lock = new SpinLock();
    private final ReceiveSource source;
    private long badRequest;
    private volatile boolean isClosed;

    ReceiveSide(final ShmContext context, final long entry, final ReceiveSource source)
    {
        this.context = context;
        this.entry = entry;
        this.source = source;
        control = context.control();
    }

    void lock()
    {
        lock.lock();
    }

    void unlock()
    {
        lock.unlock();
    }

    /** Refuses from now on; called without the lock. */
    void close()
    {
        isClosed = true;
    }

    /**
     * The first request that the last {@link #post} refused.
     *
     * @return its address, 0 after success.
     */
    long badRequest()
    {
        return badRequest;
    }

    /**
     * Posts a chain of receives.
     *
     * @param receiveRequestAddress of the first.
     * @return 0, or the errno of the first that was refused.
     */
    int post(final long receiveRequestAddress)
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
        // Whoever sets the error state flushes what it sees posted after; this thread looks at the state after posting.
        UnsafeApi.fullFence();
        if (flush() != Long.MAX_VALUE)
        {
            CompletionRing.wake(control + ControlLayout.DOORBELL_OFFSET);
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
     * Completes the receives that are left in the error state: those posted since, and those of a peer that was killed
     * before it had flushed all.
     *
     * @return in nanoseconds, when to call again; {@link Long#MAX_VALUE} when nothing is left.
     */
    long flush()
    {
        if (isClosed || QueuePairEntry.state(entry) != ERR || !source.isPending())
        {
            return Long.MAX_VALUE;
        }
        if (!Guard.acquire(context, control, entry, SHORT_DEADLINE_NS))
        {
            return GUARD_PAUSE_NS;
        }
        try
        {
            if (QueuePairEntry.state(entry) == ERR)
            {
                Responder.flushReceives(control, entry, context.token());
                source.flushed();
            }
        }
        finally
        {
            Guard.release(context, entry);
        }
        return Long.MAX_VALUE;
    }
}
