/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.queue.DeferredSends;
import org.tutti.rdma.soft.queue.SendQueue;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.tcp.wire.Terminate;

/**
 * The requester of a queue pair: turns requests into frames, in order, and completes them, in order, when the peer has
 * executed them. Reads and atomics have responses in iWARP; sends and writes have none, so an empty read after a
 * signaled one asks whether it is executed. If local completion is enough, or the peer is a standard one, sends and
 * writes complete once the socket has taken them. All methods are called with the posting lock held. Allocates nothing.
 */
public final class WireSendQueue extends SendQueue
{
    private static final int ALL = (1 << (SendOpcode.ATOMIC_FETCH_AND_ADD + 1)) - 1;
    private static final int STANDARD = 1 << SendOpcode.SEND | 1 << SendOpcode.RDMA_WRITE | 1 << SendOpcode.RDMA_READ;
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();
    private static final int NO_READS = WorkCompletionStatus.LOC_QP_OP_ERR.ordinal();
    private static final long NONE = -1;
    /** Progress calls without any effect before unsignaled requests are asked for. */
    private static final int IDLE_CALLS = 256;

    private final WireQueuePair queuePair;
    private final WireTransport transport;
    private final DeferredSends requests;
    private final RequestFrames frames;
    /** For each slot, the number of messages up to and with its request. */
    private final long[] messageEnds;
    private final DueResponses due;
    private final ReceivedResponses responses;
    private final boolean isLocalEnough;
    /** Whether sends and writes complete once the socket has taken them. */
    private boolean isLocal;
    /** Maximum number of reads and atomics that the peer answers at once. */
    private int maxReads;
    private long started;
    private long askedUpTo;
    private long writtenUpTo;
    private boolean isAskDue;
    /** In the state SQD, the end of the requests that have to be executed; else {@link #NONE}. */
    private long drainedAt = NONE;
    private long failed = NONE;
    private int failedStatus;
    private long messages;
    private int idleCalls;

    /**
     * Creates an empty queue.
     *
     * @param queuePair  queue pair.
     * @param transport  transport of the queue pair.
     * @param attributes attributes of the queue pair.
     * @param ring       ring of the send completions.
     */
    public WireSendQueue(final WireQueuePair queuePair, final WireTransport transport,
        final QueuePairInitAttributes attributes, final long ring)
    {
        super(queuePair, ALL, attributes, ring);
        this.queuePair = queuePair;
        this.transport = transport;
        frames = new RequestFrames(transport.maxPayload());
        final int capacity = attributes.maxSendRequests();
        requests = new DeferredSends(capacity, attributes.maxSendSge(), attributes.maxInlineData());
        messageEnds = new long[capacity];
        due = new DueResponses(capacity);
        responses = new ReceivedResponses(queuePair, requests, due);
        isLocalEnough = attributes.localCompletion();
        isLocal = isLocalEnough;
        transport.attach(this);
    }

    boolean tryLock()
    {
        return lock.tryLock();
    }

    boolean isOpen()
    {
        return !isClosed();
    }

    /**
     * Sets whether only requests are permitted for which iWARP has a standard message that siw and most adapters know.
     */
    void permitStandardOnly(final boolean isStandard)
    {
        permit(isStandard ? STANDARD : ALL);
    }

    /** Prepares for a new connection, on which no request has started. */
    void begin(final HandshakeResult result, final boolean isStandard)
    {
        isLocal = isLocalEnough || isStandard;
        maxReads = result.maxReads();
        started = requests.first();
        askedUpTo = started;
        writtenUpTo = started;
        isAskDue = false;
        failed = NONE;
        messages = 0;
        frames.reset(result.sendMsn(), isStandard);
        due.clear();
        responses.reset();
    }

    @Override
    protected void submit(final long wr, final long position, final int state)
    {
        requests.add(wr, position);
    }

    @Override
    protected void submitted()
    {
        if (isBroken())
        {
            flush();
        }
        else
        {
            transport.send();
        }
    }

    @Override
    public boolean isDraining()
    {
        return requests.first() < Math.max(started, drainedAt);
    }

    /** Whether a request waits. */
    boolean isWaiting()
    {
        return !requests.isEmpty();
    }

    @Override
    public long retry()
    {
        if (isBroken())
        {
            flush();
        }
        else
        {
            if (QueuePairEntry.state(entry) != SQD)
            {
                drainedAt = NONE;
            }
            else if (drainedAt == NONE)
            {
                // All requests so far count as started. Whether they are executed is asked, signaled or not.
                drainedAt = requests.end();
                isAskDue |= !isLocal && started != requests.first();
            }
            transport.send();
        }
        checkDrained();
        return Long.MAX_VALUE;
    }

    private void checkDrained()
    {
        if (!isDraining())
        {
            raiseDrainedEvent();
        }
    }

    @Override
    public void flush()
    {
        while (!requests.isEmpty())
        {
            finishFirst(FLUSHED);
        }
        stop();
        if (isBroken())
        {
            transport.close(Terminate.CLOSED);
        }
    }

    /** Whether no request of this connection is complete, so that all can be started again on another one. */
    boolean isRestartable()
    {
        return !isLocal || messages == 0;
    }

    /** The socket has taken all frames so far. */
    void written()
    {
        writtenUpTo = frames.isUnfinished() ? started - 1 : started;
        finishWritten();
    }

    /** Completes what the socket has taken, if that is enough: up to a read or atomic, which has a response. */
    private void finishWritten()
    {
        if (isLocal)
        {
            finishUpTo(Math.min(writtenUpTo, due.firstData() - 1));
        }
    }

    /** Starts all requests again, after none was executed. */
    void restart()
    {
        started = requests.first();
        writtenUpTo = started;
        frames.abandon();
        due.clear();
        transport.send();
    }

    private void stop()
    {
        drainedAt = NONE;
        started = requests.first();
        writtenUpTo = started;
        failed = NONE;
        frames.abandon();
        due.clear();
        isAskDue = false;
    }

    @Override
    protected void discard()
    {
        requests.clear();
        stop();
    }

    @Override
    protected void free()
    {
        requests.free();
        transport.free();
        frames.free();
        responses.free();
    }

    @Override
    public void fail(final AsyncEventType event)
    {
        if (isClosed())
        {
            return;
        }
        lock.lock();
        try
        {
            if (!isClosed())
            {
                queuePair.fail(event);
                flush();
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    private void finishFirst(final int status)
    {
        final long wr = requests.firstRequest();
        if (status != 0 || isSignaled(wr))
        {
            complete(wr, requests.firstPosition(), status, (int)LocalChecks.length(wr), 0);
        }
        requests.removeFirst();
    }

    /** Completes the first request with an error, and moves the queue pair to the error state. */
    void failFirst(final int status)
    {
        finishFirst(status);
        queuePair.fail(null);
        flush();
    }

    private void finishUpTo(final long ordinal)
    {
        while (requests.first() < ordinal)
        {
            finishFirst(0);
        }
        started = Math.max(started, requests.first());
        if (requests.first() == failed)
        {
            failFirst(failedStatus);
            return;
        }
        checkDrained();
    }

    /** Handles a connection that ended: the first request that was not executed fails. */
    void lose(final int status)
    {
        if (!requests.isEmpty())
        {
            failFirst(status);
        }
    }

    /** Completes what the peer had executed before it ended the connection. */
    void finishExecuted(final long executed)
    {
        long ordinal = requests.first();
        final long unanswered = due.firstData();
        while (ordinal < started && ordinal < unanswered - 1 && messageEnds[slot(ordinal)] <= executed)
        {
            ordinal++;
        }
        finishUpTo(ordinal);
    }

    private int slot(final long ordinal)
    {
        return (int)(ordinal % messageEnds.length);
    }

    /**
     * Counts a progress call without effect; after many of them, asks whether the peer has executed unsignaled
     * requests.
     */
    void idle()
    {
        if (!isLocal && askedUpTo != started && ++idleCalls >= IDLE_CALLS)
        {
            idleCalls = 0;
            isAskDue = true;
            transport.send();
        }
    }

    /** Whether the next frame is announced, so that no other may be sent before it. */
    boolean isAnnounced()
    {
        return frames.isAnnounced();
    }

    /**
     * Adds the next frame to a batch.
     *
     * @param writer writer that has room.
     * @return false if there is none to send now.
     */
    boolean fill(final FrameWriter writer)
    {
        if (frames.isUnfinished())
        {
            return continueRequest(writer);
        }
        // Before the next request, which may wait for a receive.
        if (isAskDue && askedUpTo != started)
        {
            ask(writer);
            return true;
        }
        if (failed == NONE && started < requests.end() && isStarting() && start(writer))
        {
            return true;
        }
        // A request that failed locally is reported when those before it are executed.
        return failed != NONE && isAskDue && askedUpTo != started && fill(writer);
    }

    private boolean continueRequest(final FrameWriter writer)
    {
        if (frames.isStarted() && LocalChecks.check(queuePair, frames.request(), frames.length()) != 0)
        {
            // The program deregistered the memory of a request that is not complete.
            transport.fail(Terminate.ACCESS);
            return false;
        }
        frames.addSegment(writer);
        return true;
    }

    private boolean isStarting()
    {
        return started < drainedAt || QueuePairEntry.state(entry) == RTS;
    }

    private boolean start(final FrameWriter writer)
    {
        final long wr = requests.request(started);
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final int flags = UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET);
        final boolean isRead = opcode >= SendOpcode.RDMA_READ;
        final long length = LocalChecks.length(wr);
        final int status = isRead && maxReads == 0 ? NO_READS : LocalChecks.check(queuePair, wr, length);
        if (status != 0)
        {
            failed = started;
            failedStatus = status;
            isAskDue = !isLocal;
            if (requests.first() == failed)
            {
                failFirst(status);
            }
            return false;
        }
        if ((isRead && due.dataCount() >= Math.min(maxReads, queuePair.attributes().maxRdAtomic())) ||
            ((flags & SendFlags.FENCE) != 0 && due.dataCount() > 0))
        {
            return false;
        }
        idleCalls = 0;
        messages += opcode == SendOpcode.RDMA_WRITE_WITH_IMM && length > 0 ? 2 : 1;
        messageEnds[slot(started)] = messages;
        started++;
        isAskDue |= !isLocal && (isSignaled(wr) || drainedAt != NONE);
        if (isRead)
        {
            // The response to a request also says that all earlier requests are executed.
            addDue(opcode == SendOpcode.RDMA_READ ? DueResponses.READ : DueResponses.ATOMIC);
            frames.addRead(writer, wr, length, started);
        }
        else
        {
            frames.begin(wr, length);
            frames.addSegment(writer);
        }
        return true;
    }

    private void addDue(final int kind)
    {
        due.add(started, kind);
        askedUpTo = started;
        isAskDue = false;
    }

    private void ask(final FrameWriter writer)
    {
        addDue(DueResponses.EMPTY_READ);
        messages++;
        frames.addEmptyRead(writer);
    }

    /** As {@link ReceivedResponses#beginRead}. */
    ScatterList beginRead(final long frame, final int payload)
    {
        return responses.beginRead(frame, payload);
    }

    /** Finishes a segment of a read response, whose payload is placed. */
    void endRead(final int payload, final boolean isLast)
    {
        responses.endRead(payload, isLast);
        if (isLast)
        {
            finishUpTo(due.remove());
            finishWritten();
        }
    }

    /** Handles the response to an atomic; false if it is not the one that is due. */
    boolean endAtomic(final long frame, final int payload)
    {
        if (!responses.placeAtomic(frame, payload))
        {
            return false;
        }
        finishUpTo(due.remove());
        finishWritten();
        return true;
    }
}
