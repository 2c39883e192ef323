/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

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

/**
 * The send side of a queue pair: accepts requests, executes them at once where it can and later where it must, in
 * order, and completes them. A slot is free again when the completion of its request or of a later one was polled.
 * All methods but {@link #freed} are called with the queue pair's posting lock held. Allocates nothing.
 */
final class SendQueue
{
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();

    private final ShmQueuePair queuePair;
    private final Transport transport;
    private final int opcodes;
    private final ShmContext context;
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
    private long tail;
    private volatile long head;

    SendQueue(final ShmQueuePair queuePair, final Transport transport, final QueuePairInitAttributes attributes,
        final long ring)
    {
        this.queuePair = queuePair;
        this.transport = transport;
        opcodes = transport.opcodes();
        this.ring = ring;
        context = queuePair.context();
        control = context.control();
        token = context.token();
        entry = queuePair.entry();
        qpNum = queuePair.qpNum();
        capacity = attributes.maxSendRequests();
        maxSge = attributes.maxSendSge();
        maxInlineData = attributes.maxInlineData();
        isSignalAll = attributes.signalAll();
        backlog = new DeferredSends(capacity, maxSge, maxInlineData);
    }

    /**
     * Posts one request.
     *
     * @param wr its address.
     * @return 0, or the errno that refuses it.
     */
    int post(final long wr)
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
            progress();
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
     * Frees slots; called by who polls.
     *
     * @param position up to which, exclusive.
     */
    void freed(final long position)
    {
        head = position;
    }

    /**
     * Whether a request that was begun before SQD is not done.
     *
     * @return false when nothing was begun.
     */
    boolean isDraining()
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
    void tellWhenDrained(final boolean isAsked)
    {
        isDrainAsked = isAsked;
    }

    /**
     * Tries what could not be executed before, in order.
     *
     * @return in nanoseconds, when it is worth trying again; {@link Long#MAX_VALUE} when nothing is left to try.
     */
    long progress()
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
        context.backlogChanged(queuePair);
        return Long.MAX_VALUE;
    }

    private boolean isBroken()
    {
        // Beyond SQD are SQE and ERR.
        return queuePair.isFailed() || QueuePairEntry.state(entry) > SQD;
    }

    /** Completes as flushed what was not executed. */
    void flush()
    {
        while (!backlog.isEmpty())
        {
            final long wr = backlog.firstRequest();
            final long position = backlog.firstPosition();
            backlog.removeFirst();
            complete(wr, position, FLUSHED, null);
        }
        timer.reset();
        context.backlogChanged(queuePair);
    }

    /** Forgets everything, without completions. */
    void reset()
    {
        backlog.clear();
        timer.reset();
        isDrainAsked = false;
        head = tail;
        context.backlogChanged(queuePair);
    }

    void free()
    {
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
        context.backlogChanged(queuePair);
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
            queuePair.failSends();
            flush();
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
