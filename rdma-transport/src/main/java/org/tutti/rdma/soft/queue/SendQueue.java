/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

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
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.SpinLock;

/**
 * The send side of a queue pair: checks requests, submits them in order, and writes their completions. A slot is free
 * again once the completion of its request or of a later one was polled. Owns the posting lock of the queue pair, which
 * {@link #post} and {@link #fail} acquire; all other methods except {@link #freed} and {@link #badRequest} are called
 * with it held. Allocates nothing.
 */
public abstract class SendQueue
{
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();

    /** The posting lock. */
    protected final SpinLock lock = new SpinLock();
    /** Address of the control segment. */
    protected final long control;
    /** Address of the queue pair's entry. */
    protected final long entry;
    private final LocalQueuePair queuePair;
    private int opcodes;
    private final int token;
    private final int qpNum;
    private final long ring;
    private final int capacity;
    private final int maxSge;
    private final int maxInlineData;
    private final boolean isSignalAll;
    private boolean isDrainedEventRequested;
    private long badRequest;
    private long tail;
    private volatile long head;
    private volatile boolean isClosed;

    /**
     * Creates an empty queue.
     *
     * @param queuePair  queue pair.
     * @param opcodes    permitted opcodes: a mask with one bit per value of {@link SendOpcode}.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of the send completions.
     */
    protected SendQueue(
        final LocalQueuePair queuePair, final int opcodes, final QueuePairInitAttributes attributes, final long ring)
    {
        this.queuePair = queuePair;
        this.opcodes = opcodes;
        this.ring = ring;
        control = queuePair.control();
        token = queuePair.token();
        entry = queuePair.entry();
        qpNum = queuePair.qpNum();
        capacity = attributes.maxSendRequests();
        maxSge = attributes.maxSendSge();
        maxInlineData = attributes.maxInlineData();
        isSignalAll = attributes.signalAll();
    }

    /**
     * Executes or defers a valid request.
     *
     * @param wr       address of the request, which the caller may reuse afterwards.
     * @param position position of the request in the queue.
     * @param state    state of the queue pair, at least RTS.
     */
    protected abstract void submit(long wr, long position, int state);

    /** Called after the requests of a post were submitted. */
    protected void submitted()
    {
        // Nothing to do if requests are executed when submitted.
    }

    /**
     * Whether a request that was started before SQD is incomplete.
     *
     * @return false if no request was started.
     */
    public abstract boolean isDraining();

    /**
     * Continues deferred requests, in order.
     *
     * @return delay until the next attempt, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    public abstract long retry();

    /** Flushes the requests that are incomplete. */
    public abstract void flush();

    /** Discards all requests without completions. */
    protected abstract void discard();

    /** Frees all resources, after {@link #discard}. */
    protected abstract void free();

    /**
     * Moves the queue pair to the error state under the posting lock, and runs deferred work.
     *
     * @param event event that gives the reason.
     */
    public abstract void fail(AsyncEventType event);

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
            submitted();
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
        submit(wr, tail++, state);
        return 0;
    }

    /**
     * Changes the permitted opcodes.
     *
     * @param mask a mask with one bit per value of {@link SendOpcode}.
     */
    protected final void permit(final int mask)
    {
        opcodes = mask;
    }

    /**
     * Frees slots; called by the polling thread.
     *
     * @param position end position, exclusive.
     */
    public final void freed(final long position)
    {
        head = position;
    }

    /**
     * Whether requests are rejected because the queue was closed. Needs no lock.
     *
     * @return true after {@link #close}.
     */
    protected final boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Requests an event for the completion of the request that was started before SQD; if there is no such request, the
     * event is raised by the next {@link #retry}.
     *
     * @param isRequested false to cancel.
     */
    public final void requestDrainedEvent(final boolean isRequested)
    {
        isDrainedEventRequested = isRequested;
    }

    /** Raises the requested event in the state SQD; called when no started request is incomplete. */
    protected final void raiseDrainedEvent()
    {
        if (isDrainedEventRequested && QueuePairEntry.state(entry) == SQD)
        {
            isDrainedEventRequested = false;
            AsyncEvents.raise(control, token, AsyncEventType.SQ_DRAINED, qpNum);
        }
    }

    /**
     * Whether nothing is executed any more: in the states SQE and ERR, and before ERR is entered after a failure.
     *
     * @return true until the queue pair is reset.
     */
    protected final boolean isBroken()
    {
        return queuePair.isFailed() || QueuePairEntry.state(entry) > SQD;
    }

    /** Discards all requests without completions; their slots are free. */
    public final void reset()
    {
        isDrainedEventRequested = false;
        head = tail;
        discard();
    }

    /** Rejects requests from now on and frees all resources. */
    public final void close()
    {
        isClosed = true;
        reset();
        free();
    }

    /**
     * Whether a successful request generates a completion.
     *
     * @param wr address of the request.
     * @return true if it is signaled.
     */
    protected final boolean isSignaled(final long wr)
    {
        return isSignalAll || (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SIGNALED) != 0;
    }

    /**
     * Adds the completion of a request.
     *
     * @param wr          address of the request, or of a copy of its first {@link SendWorkRequest#SIZE} bytes.
     * @param position    position of the request in the queue.
     * @param status      value of {@code ibv_wc_status}.
     * @param length      length of the message in bytes.
     * @param vendorError errno of a failed access to memory, or 0.
     */
    protected final void complete(
        final long wr, final long position, final int status, final int length, final int vendorError)
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
        CompletionRing.putDetail(slot, opcode, length);
        if (status != 0)
        {
            UnsafeApi.putInt(slot + WorkCompletion.VENDOR_ERR_OFFSET, vendorError);
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
