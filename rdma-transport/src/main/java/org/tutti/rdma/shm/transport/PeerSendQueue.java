/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.queue.DeferredSends;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.queue.RetryTimer;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.segment.QueuePairEntry;

/**
 * A send queue whose requests are executed by the posting thread, immediately or deferred, and completed in order.
 * {@link #progress()} acquires the posting lock.
 */
public final class PeerSendQueue extends SendQueue
{
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();

    /** Interval at which the progress thread tries again to acquire a guard held by a peer, which may be stopped. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final LocalQueuePair queuePair;
    private final PeerTransport transport;
    private final RetryQueues backlogs;
    private final DeferredSends backlog;
    private final RetryTimer timer = new RetryTimer();

    /**
     * Creates an empty queue.
     *
     * @param queuePair  queue pair.
     * @param transport  transport of the queue pair.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of the send completions.
     * @param backlogs   send queues of the context that have requests to retry.
     */
    public PeerSendQueue(final LocalQueuePair queuePair, final PeerTransport transport,
        final QueuePairInitAttributes attributes, final long ring, final RetryQueues backlogs)
    {
        super(queuePair, transport.opcodes(), attributes, ring);
        this.queuePair = queuePair;
        this.transport = transport;
        this.backlogs = backlogs;
        backlog = new DeferredSends(
            attributes.maxSendRequests(), attributes.maxSendSge(), attributes.maxInlineData());
    }

    @Override
    protected void submit(final long wr, final long position, final int state)
    {
        if (!backlog.isEmpty())
        {
            retry();
        }
        if (!backlog.isEmpty() || state == SQD)
        {
            defer(wr, position);
        }
        else if (isBroken())
        {
            complete(wr, position, FLUSHED, null);
        }
        else
        {
            execute(wr, position);
        }
    }

    @Override
    public boolean isDraining()
    {
        return timer.isRunning() && !backlog.isEmpty();
    }

    boolean isIdle()
    {
        return backlog.isEmpty() && !queuePair.isFailing();
    }

    /**
     * Runs deferred work under the posting lock, unless another thread holds it.
     *
     * @return delay until the next call, in nanoseconds.
     */
    long progress()
    {
        return isClosed() ? Long.MAX_VALUE : lock.tryLock() ? progress(null) : RetryTimer.MAX_PAUSE_NS;
    }

    @Override
    public void fail(final AsyncEventType event)
    {
        if (!isClosed())
        {
            lock.lock();
            progress(event);
        }
    }

    /** Runs deferred work, then releases the lock. */
    private long progress(final AsyncEventType event)
    {
        try
        {
            if (isClosed())
            {
                return Long.MAX_VALUE;
            }
            if (event != null)
            {
                queuePair.fail(event);
            }
            else if (queuePair.isFailing())
            {
                queuePair.tryEnterError();
            }
            final long pauseNs = retry();
            return queuePair.isFailing() ? GUARD_PAUSE_NS : pauseNs;
        }
        catch (final RuntimeException | InternalError e)
        {
            // The owner gets a fatal event instead of the exception; the caller continues with other queue pairs.
            queuePair.setFailed(AsyncEventType.QP_FATAL);
            backlogs.changed(this);
            return GUARD_PAUSE_NS;
        }
        finally
        {
            lock.unlock();
        }
    }

    @Override
    public long retry()
    {
        while (!backlog.isEmpty())
        {
            if (isBroken())
            {
                flush();
                break;
            }
            final int state = QueuePairEntry.state(entry);
            if (state != RTS && (state != SQD || !timer.isRunning()))
            {
                break;
            }
            final long wr = backlog.firstRequest();
            final Requester requester = transport.requester();
            int status = requester == null ? Requester.NO_ANSWER :
                requester.execute(wr, UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
            if (status < 0)
            {
                final long nowNs = System.nanoTime();
                status = transport.giveUp(status, requester, nowNs, timer);
                if (status < 0)
                {
                    return timer.pauseNs(nowNs);
                }
            }
            timer.reset();
            final long position = backlog.firstPosition();
            backlog.removeFirst();
            finish(wr, position, status, requester);
        }
        raiseDrainedEvent();
        backlogs.changed(this);
        return Long.MAX_VALUE;
    }

    @Override
    public void flush()
    {
        while (!backlog.isEmpty())
        {
            final long wr = backlog.firstRequest();
            final long position = backlog.firstPosition();
            backlog.removeFirst();
            complete(wr, position, FLUSHED, null);
        }
        timer.reset();
        backlogs.changed(this);
    }

    @Override
    protected void discard()
    {
        backlog.clear();
        timer.reset();
        backlogs.changed(this);
    }

    @Override
    protected void free()
    {
        backlog.free();
    }

    private void execute(final long wr, final long position)
    {
        final Requester requester = transport.requester();
        final int status = requester == null ? Requester.NO_ANSWER :
            requester.execute(wr, UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
        if (status >= 0)
        {
            finish(wr, position, status, requester);
            return;
        }
        final int failure = transport.giveUp(status, requester, System.nanoTime(), timer);
        if (failure >= 0)
        {
            timer.reset();
            finish(wr, position, failure, requester);
        }
        else
        {
            defer(wr, position);
        }
    }

    private void defer(final long wr, final long position)
    {
        backlog.add(wr, position);
        backlogs.changed(this);
    }

    private void finish(final long wr, final long position, final int status, final Requester requester)
    {
        if (status != 0 || isSignaled(wr))
        {
            complete(wr, position, status, requester);
        }
        if (status != 0)
        {
            failQueuePair();
            flush();
        }
    }

    private void failQueuePair()
    {
        if (transport.afterFailedSend() == QueuePairState.ERR)
        {
            queuePair.fail(null);
        }
        else
        {
            queuePair.failSends();
        }
    }

    private void complete(final long wr, final long position, final int status, final Requester requester)
    {
        complete(wr, position, status, requester == null ? 0 : (int)requester.length(),
            requester == null ? 0 : requester.vendorError());
    }
}
