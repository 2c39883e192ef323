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
 * The send side of a queue pair: accepts requests, executes them at once where it can and later where it must, in
 * order, and completes them. A slot is free again when the completion of its request or of a later one was polled. Has
 * the posting lock of the queue pair, which {@link #post} and {@link #progress()} take; the other methods but
 * {@link #freed} are called with it held. Allocates nothing.
 */
public final class SendQueue
{
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();

    /** How soon the progress thread asks again for the guard that a peer, which may be stopped, keeps. */
    private static final long GUARD_PAUSE_NS = 10_000_000L;

    private final SpinLock lock = new SpinLock();
    private final LocalQueuePair queuePair;
    private final Transport transport;
    private final int opcodes;
    private final Backlogs backlogs;
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
    private boolean isDrainAsked;
    private long badRequest;
    private long tail;
    private volatile long head;
    private volatile boolean isClosed;

    /**
     * Makes an empty queue.
     *
     * @param queuePair  queue pair.
     * @param transport  transport of the queue pair.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of its send completions.
     * @param backlogs   backlogs of the context.
     */
    public SendQueue(final LocalQueuePair queuePair, final Transport transport,
        final QueuePairInitAttributes attributes, final long ring, final Backlogs backlogs)
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

    /** Takes the posting lock. */
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
     * The first request that the last {@link #post} refused.
     *
     * @return its address, 0 after success.
     */
    public long badRequest()
    {
        return badRequest;
    }

    /**
     * Posts a chain of requests, under the posting lock.
     *
     * @param sendRequestAddress address of the first.
     * @return 0, or the errno of the first that was refused.
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
                // Read first: an executed request's owner may reuse it.
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
     * Frees slots; called by the thread that polls.
     *
     * @param position end position, exclusive.
     */
    public void freed(final long position)
    {
        head = position;
    }

    /**
     * Whether a request that was begun before SQD is not done.
     *
     * @return false when nothing was begun.
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
     * Asks to be told when the request that was begun before SQD is done, at once if there is none.
     *
     * @param isAsked false to take an earlier request back.
     */
    public void tellWhenDrained(final boolean isAsked)
    {
        isDrainAsked = isAsked;
    }

    /**
     * Runs what is left to do, under the posting lock, unless another thread has that.
     *
     * @return in nanoseconds, when to call again.
     */
    long progress()
    {
        return isClosed ? Long.MAX_VALUE : lock.tryLock() ? progress(null) : RetryTimer.MAX_PAUSE_NS;
    }

    /**
     * Takes the queue pair to the error state, under the posting lock, and runs what is left to do.
     *
     * @param event the event that says why.
     */
    public void fail(final AsyncEventType event)
    {
        if (!isClosed)
        {
            lock.lock();
            progress(event);
        }
    }

    /** Releases the lock. */
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
            // Told to the owner as what it is to it; the caller has other queue pairs to go on with.
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
     * Tries what could not be executed before, in order.
     *
     * @return in nanoseconds, when it is worth trying again; {@link Long#MAX_VALUE} when nothing is left to try.
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
        if (isDrainAsked && QueuePairEntry.state(entry) == SQD)
        {
            isDrainAsked = false;
            AsyncEvents.raise(control, token, AsyncEventType.SQ_DRAINED, qpNum);
        }
        backlogs.changed(this);
        return Long.MAX_VALUE;
    }

    private boolean isBroken()
    {
        // Beyond SQD are SQE and ERR.
        return queuePair.isFailed() || QueuePairEntry.state(entry) > SQD;
    }

    /** Completes as flushed what was not executed. */
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

    /** Forgets everything, without completions. */
    public void reset()
    {
        backlog.clear();
        timer.reset();
        isDrainAsked = false;
        head = tail;
        backlogs.changed(this);
    }

    /** Refuses from now on, and frees what it has. */
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
            // The event wakes the progress thread, which takes the queue pairs to the error state: it may take their
            // locks, which cannot be done here, under one of them.
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
