/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.shm.segment.AsyncEvents;
import org.tutti.rdma.shm.segment.CompletionRing;
import org.tutti.rdma.shm.segment.QueuePairEntry;
import org.tutti.rdma.shm.segment.SpinLock;

/**
 * The send side of a queue pair: accepts requests, executes them in order, immediately or deferred, and completes them.
 * A slot is free again once the completion of its request or of a later one was polled. Owns the posting lock of the
 * queue pair, which {@link #post}, {@link #progress()} and {@link #fail} acquire; all other methods except
 * {@link #freed} and {@link #badRequest} are called with it held. Allocates nothing.
 */
public final class SendQueue
{
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();

    /** Interval at which the progress thread tries again to acquire a guard held by a peer, which may be stopped. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final SpinLock lock = new SpinLock();
    private final LocalQueuePair queuePair;
    private final Transport transport;
    private final int opcodes;
    private final RetryQueues backlogs;
    private final long control;
    private final long entry;
    private final int token;
    private final int qpNum;
    private final long ring;
    private final int capacity;
    private final int maxSge;
    private final int maxInlineData;
    private final boolean isSignalAll;
    private final DeferredSends backlog;
    private final RetryTimer timer = new RetryTimer();
    private boolean isDrainedEventRequested;
    private long badRequest;
    private long tail;
    private volatile long head;
    private volatile boolean isClosed;

    /**
     * Creates an empty queue.
     *
     * @param queuePair  queue pair.
     * @param transport  transport of the queue pair.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of the send completions.
     * @param backlogs   send queues of the context that have requests to retry.
     */
    public SendQueue(final LocalQueuePair queuePair, final Transport transport,
        final QueuePairInitAttributes attributes, final long ring, final RetryQueues backlogs)
    {
        this.queuePair = queuePair;
        this.transport = transport;
        this.ring = ring;
        this.backlogs = backlogs;
        opcodes = transport.opcodes();
        control = queuePair.control();
        token = queuePair.token();
        entry = queuePair.entry();
        qpNum = queuePair.qpNum();
        capacity = attributes.maxSendRequests();
        maxSge = attributes.maxSendSge();
        maxInlineData = attributes.maxInlineData();
        isSignalAll = attributes.signalAll();
        backlog = new DeferredSends(capacity, maxSge, maxInlineData);
    }

    /** Acquires the posting lock. */
    public void lock()
    {
        lock.lock();
    }

    /** Releases the posting lock. */
    public void unlock()
    {
        lock.unlock();
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
     * Posts a chain of requests, under the posting lock.
     *
     * @param sendRequestAddress address of the first request.
     * @return 0, or the errno of the first rejected request.
     */
    public int post(final long sendRequestAddress)
    {
        if (isClosed)
        {
            return Errno.EINVAL;
        }
        lock.lock();
        try
        {
            long wr = sendRequestAddress;
            int errno = 0;
            while (wr != 0)
            {
                // Read before execution, because the user may reuse a request once it is executed.
                final long next = UnsafeApi.getLong(wr + SendWorkRequest.NEXT_OFFSET);
                errno = isClosed ? Errno.EINVAL : postOne(wr);
                if (errno != 0)
                {
                    break;
                }
                wr = next;
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
        final int state = QueuePairEntry.state(entry);
        if (state < RTS || !isValid(wr))
        {
            return Errno.EINVAL;
        }
        if (tail - head >= capacity)
        {
            return Errno.ENOMEM;
        }
        final long position = tail++;
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
        return 0;
    }

    /**
     * Frees slots; called by the polling thread.
     *
     * @param position end position, exclusive.
     */
    public void freed(final long position)
    {
        head = position;
    }

    /**
     * Whether a request that was started before SQD is incomplete.
     *
     * @return false if no request was started.
     */
    public boolean isDraining()
    {
        return timer.isRunning() && !backlog.isEmpty();
    }

    boolean isIdle()
    {
        return backlog.isEmpty() && !queuePair.isFailing();
    }

    /**
     * Requests an event for the completion of the request that was started before SQD; if there is no such request, the
     * event is raised immediately.
     *
     * @param isRequested false to cancel.
     */
    public void requestDrainedEvent(final boolean isRequested)
    {
        isDrainedEventRequested = isRequested;
    }

    /**
     * Runs deferred work under the posting lock, unless another thread holds it.
     *
     * @return delay until the next call, in nanoseconds.
     */
    long progress()
    {
        return isClosed ? Long.MAX_VALUE : lock.tryLock() ? progress(null) : RetryTimer.MAX_PAUSE_NS;
    }

    /**
     * Moves the queue pair to the error state under the posting lock, and runs deferred work.
     *
     * @param event event that gives the reason.
     */
    public void fail(final AsyncEventType event)
    {
        if (!isClosed)
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
            if (isClosed)
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

    /**
     * Retries deferred requests, in order.
     *
     * @return delay until the next attempt, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
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
        if (isDrainedEventRequested && QueuePairEntry.state(entry) == SQD)
        {
            isDrainedEventRequested = false;
            AsyncEvents.raise(control, token, AsyncEventType.SQ_DRAINED, qpNum);
        }
        backlogs.changed(this);
        return Long.MAX_VALUE;
    }

    private boolean isBroken()
    {
        // The states beyond SQD are SQE and ERR.
        return queuePair.isFailed() || QueuePairEntry.state(entry) > SQD;
    }

    /** Flushes the requests that were not executed. */
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

    /** Discards all requests without completions. */
    public void reset()
    {
        backlog.clear();
        timer.reset();
        isDrainedEventRequested = false;
        head = tail;
        backlogs.changed(this);
    }

    /** Rejects requests from now on and frees all resources. */
    public void close()
    {
        isClosed = true;
        reset();
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
        final boolean isSignaled = isSignalAll ||
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SIGNALED) != 0;
        if (isSignaled || status != 0)
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
        final long claimed = CompletionRing.claim(control, ring, token);
        if (claimed < 0)
        {
            // The event wakes the progress thread, which moves the queue pairs to the error state: it may acquire their
            // locks, which this thread cannot while it holds one of them.
            Responder.overrun(control, ring, token);
            return;
        }
        final long slot = CompletionRing.slot(control, ring, claimed);
        CompletionRing.putRequest(
            slot, UnsafeApi.getLong(wr + SendWorkRequest.WR_ID_OFFSET), status, qpNum, position + 1);
        final int opcode = completionOpcode(UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET));
        CompletionRing.putDetail(slot, opcode, requester == null ? 0 : (int)requester.length());
        if (status != 0 && requester != null)
        {
            UnsafeApi.putInt(slot + WorkCompletion.VENDOR_ERR_OFFSET, requester.vendorError());
        }
        CompletionRing.publish(control, ring, claimed, token, status != 0);
    }

    private boolean isValid(final long wr)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        final int flags = UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET);
        if ((opcode & ~31) != 0 || (opcodes >>> opcode & 1) == 0 || count < 0 || count > maxSge)
        {
            return false;
        }
        if ((flags & SendFlags.INLINE) == 0)
        {
            return true;
        }
        final long sgList = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            total += UnsafeApi.getInt(
                sgList + (long)i * ScatterGatherEntry.SIZE + ScatterGatherEntry.LENGTH_OFFSET) & 0xFFFF_FFFFL;
        }
        return opcode < SendOpcode.RDMA_READ && total <= maxInlineData;
    }

    private static int completionOpcode(final int sendOpcode)
    {
        return switch (sendOpcode)
        {
            case SendOpcode.RDMA_WRITE, SendOpcode.RDMA_WRITE_WITH_IMM -> CompletionOpcode.RDMA_WRITE;
            case SendOpcode.RDMA_READ -> CompletionOpcode.RDMA_READ;
            case SendOpcode.ATOMIC_CMP_AND_SWP -> CompletionOpcode.COMP_SWAP;
            case SendOpcode.ATOMIC_FETCH_AND_ADD -> CompletionOpcode.FETCH_ADD;
            default -> CompletionOpcode.SEND;
        };
    }
}
