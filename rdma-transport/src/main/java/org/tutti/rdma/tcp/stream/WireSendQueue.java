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
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;
import org.tutti.rdma.tcp.wire.Terminate;

/**
 * The requester of a queue pair: turns requests into frames, in order, and completes them, in order, when the peer has
 * executed them. Reads and atomics have responses. Sends and writes have none in iWARP: an empty read after a signaled
 * one asks whether it is executed. All methods are called with the posting lock held. Allocates nothing.
 */
public final class WireSendQueue extends SendQueue
{
    private static final int ALL = (1 << (SendOpcode.ATOMIC_FETCH_AND_ADD + 1)) - 1;
    private static final int RTS = QueuePairState.RTS.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final int FLUSHED = WorkCompletionStatus.WR_FLUSH_ERR.ordinal();
    private static final int IMMEDIATE_SIZE = 8;
    private static final long NONE = -1;
    /** Progress calls without any effect before unsignaled requests are asked for. */
    private static final int IDLE_CALLS = 256;

    private final WireQueuePair queuePair;
    private final WireTransport transport;
    private final DeferredSends requests;
    private final ScatterList source = new ScatterList();
    private final ScatterList sink = new ScatterList();
    /** For each slot, the number of messages up to and with its request. */
    private final long[] messageEnds;
    private final DueResponses due;
    private long started;
    private long askedUpTo;
    private boolean isAskDue;
    /** In the state SQD, the end of the requests that have to be executed; else {@link #NONE}. */
    private long drainedAt = NONE;
    private long failed = NONE;
    private int failedStatus;
    private long messages;
    private int sendMsn;
    private int readMsn;
    private int atomicMsn;
    private long segmented = NONE;
    private long segmentedLength;
    private long segmentedDone;
    private long received;
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
        final int capacity = attributes.maxSendRequests();
        requests = new DeferredSends(capacity, attributes.maxSendSge(), attributes.maxInlineData());
        messageEnds = new long[capacity];
        due = new DueResponses(capacity);
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

    /** Prepares for a new connection, on which no request has started. */
    void begin(final int firstMsn)
    {
        started = requests.first();
        askedUpTo = started;
        isAskDue = false;
        failed = NONE;
        messages = 0;
        sendMsn = firstMsn;
        readMsn = 1;
        atomicMsn = 1;
        segmented = NONE;
        due.clear();
        received = 0;
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
                isAskDue |= started != requests.first();
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

    /** Starts all requests again, after none was executed. */
    void restart()
    {
        started = requests.first();
        segmented = NONE;
        due.clear();
        transport.send();
    }

    private void stop()
    {
        drainedAt = NONE;
        started = requests.first();
        failed = NONE;
        segmented = NONE;
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
        source.free();
        sink.free();
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

    /** Notes a progress call without effect; asks for unsignaled requests after many of them. */
    void idle()
    {
        if (askedUpTo != started && ++idleCalls >= IDLE_CALLS)
        {
            idleCalls = 0;
            isAskDue = true;
            transport.send();
        }
    }

    /**
     * Adds the next frame to a batch.
     *
     * @param writer writer that has room.
     * @return false if there is none to send now.
     */
    boolean fill(final FrameWriter writer)
    {
        if (segmented != NONE)
        {
            addSegment(writer);
            return true;
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
        final int status = LocalChecks.check(queuePair, wr, length);
        if (status != 0)
        {
            failed = started;
            failedStatus = status;
            isAskDue = true;
            if (requests.first() == failed)
            {
                failFirst(status);
            }
            return false;
        }
        if ((isRead && due.dataCount() >= queuePair.attributes().maxRdAtomic()) ||
            ((flags & SendFlags.FENCE) != 0 && due.dataCount() > 0))
        {
            return false;
        }
        idleCalls = 0;
        segmentedLength = length;
        segmentedDone = 0;
        messages += opcode == SendOpcode.RDMA_WRITE_WITH_IMM && length > 0 ? 2 : 1;
        messageEnds[slot(started)] = messages;
        segmented = started++;
        isAskDue |= isSignaled(wr) || drainedAt != NONE;
        if (isRead)
        {
            segmented = NONE;
            addRead(writer, wr, opcode, length);
        }
        else
        {
            source.set(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET),
                UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET));
            addSegment(writer);
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
        putRead(writer, 0, 0, 0, 0, 0);
    }

    private void putRead(final FrameWriter writer, final int stag, final long offset, final long length,
        final int key, final long remote)
    {
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, Fpdu.READ_REQUEST, true, Fpdu.READ_QUEUE, readMsn++, 0, ReadRequest.SIZE);
        ReadRequest.put(writer.room(ReadRequest.SIZE), stag, offset, (int)length, key, remote);
        writer.end();
    }

    private void addRead(final FrameWriter writer, final long wr, final int opcode, final long length)
    {
        // The response to a request also says that all earlier requests are executed.
        addDue(opcode == SendOpcode.RDMA_READ ? DueResponses.READ : DueResponses.ATOMIC);
        final long remote = UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        if (opcode == SendOpcode.RDMA_READ)
        {
            putRead(writer, sinkKey(wr), sinkOffset(wr), length,
                UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET), remote);
            return;
        }
        final boolean isAdd = opcode == SendOpcode.ATOMIC_FETCH_AND_ADD;
        final long operand = UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET);
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, Fpdu.ATOMIC_REQUEST, true, Fpdu.READ_QUEUE, readMsn++, 0, AtomicRequest.SIZE);
        AtomicRequest.put(writer.room(AtomicRequest.SIZE), isAdd ? AtomicRequest.FETCH_ADD : AtomicRequest.COMPARE_SWAP,
            (int)started, UnsafeApi.getInt(wr + SendWorkRequest.ATOMIC_RKEY_OFFSET), remote,
            isAdd ? operand : UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_SWAP_OFFSET), isAdd ? 0 : operand);
        writer.end();
    }

    private static int sinkKey(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET) == 0 ? 0 :
            SgeList.key(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
    }

    private static long sinkOffset(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET) == 0 ? 0 :
            SgeList.address(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
    }

    private void addSegment(final FrameWriter writer)
    {
        final long wr = requests.request(segmented);
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final boolean isSolicited =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
        final boolean isWithImmediate = opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
        if (isWithImmediate && segmentedDone == segmentedLength)
        {
            addImmediate(writer, wr, isSolicited);
            segmented = NONE;
            return;
        }
        final int length = (int)Math.min(segmentedLength - segmentedDone, Responses.MAX_PAYLOAD);
        final boolean isLast = segmentedDone + length == segmentedLength;
        if (opcode == SendOpcode.RDMA_WRITE || isWithImmediate)
        {
            final long frame = writer.begin(Fpdu.TAGGED_HEADER);
            Fpdu.putTagged(frame, Fpdu.WRITE, isLast, UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET),
                UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET) + segmentedDone, length);
        }
        else
        {
            addSendHeader(writer, wr, isLast, isSolicited, length);
        }
        addPayload(writer, length);
        writer.end();
        segmentedDone += length;
        if (isLast && !isWithImmediate)
        {
            segmented = NONE;
        }
    }

    private void addSendHeader(
        final FrameWriter writer, final long wr, final boolean isLast, final boolean isSolicited, final int length)
    {
        final boolean hasImmediate =
            UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET) == SendOpcode.SEND_WITH_IMM;
        final int opcode = hasImmediate ?
            (isSolicited ? Fpdu.SEND_SOLICITED_INVALIDATE : Fpdu.SEND_INVALIDATE) :
            (isSolicited ? Fpdu.SEND_SOLICITED : Fpdu.SEND);
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, opcode, isLast, Fpdu.SEND_QUEUE, sendMsn, (int)segmentedDone, length);
        if (hasImmediate)
        {
            Fpdu.putImmediate(frame, UnsafeApi.getInt(wr + SendWorkRequest.IMM_DATA_OFFSET));
        }
        if (isLast)
        {
            sendMsn++;
        }
    }

    private void addImmediate(final FrameWriter writer, final long wr, final boolean isSolicited)
    {
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, isSolicited ? Fpdu.IMMEDIATE_SOLICITED : Fpdu.IMMEDIATE, true, Fpdu.SEND_QUEUE,
            sendMsn++, 0, IMMEDIATE_SIZE);
        final long data = writer.room(IMMEDIATE_SIZE);
        UnsafeApi.putInt(data, UnsafeApi.getInt(wr + SendWorkRequest.IMM_DATA_OFFSET));
        Fpdu.putInt(data + Integer.BYTES, (int)segmentedLength);
        writer.end();
    }

    private void addPayload(final FrameWriter writer, final int length)
    {
        final boolean isCopied = length <= FrameWriter.COPY_LIMIT;
        int left = length;
        while (left > 0)
        {
            final int step = (int)Math.min(left, source.contiguous());
            writer.add(source.address(), step, isCopied);
            source.advance(step);
            left -= step;
        }
    }

    /**
     * Checks a segment of a read response.
     *
     * @param frame   address of the frame.
     * @param payload length of the payload in bytes.
     * @return the place of the payload, or null if it is not the response that is due.
     */
    ScatterList beginRead(final long frame, final int payload)
    {
        if (due.kind() == DueResponses.NONE || due.kind() == DueResponses.ATOMIC)
        {
            return null;
        }
        if (due.kind() == DueResponses.EMPTY_READ)
        {
            sink.setRange(0, 0);
            return payload == 0 && Fpdu.isLast(frame) && Fpdu.stag(frame) == 0 ? sink : null;
        }
        final long wr = requests.request(due.ordinal() - 1);
        final long length = LocalChecks.length(wr);
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        if (Fpdu.stag(frame) != sinkKey(wr) || Fpdu.taggedOffset(frame) != sinkOffset(wr) + received ||
            payload > length - received || Fpdu.isLast(frame) != (received + payload == length) ||
            ScatterList.check(control, queuePair.domain(), list, count, received + payload) != ScatterList.FITS)
        {
            return null;
        }
        sink.set(list, count, received);
        return sink;
    }

    /** Finishes a segment of a read response, whose payload is placed. */
    void endRead(final int payload, final boolean isLast)
    {
        received += payload;
        if (isLast)
        {
            received = 0;
            finishUpTo(due.remove());
        }
    }

    /** Handles the response to an atomic; false if it is not the one that is due. */
    boolean endAtomic(final long frame, final int payload)
    {
        if (due.kind() != DueResponses.ATOMIC || payload != AtomicRequest.RESPONSE_SIZE ||
            Fpdu.msn(frame) != atomicMsn || !Fpdu.isLast(frame) || Fpdu.messageOffset(frame) != 0 ||
            Fpdu.getInt(frame + Fpdu.UNTAGGED_HEADER) != (int)due.ordinal())
        {
            return false;
        }
        atomicMsn++;
        final long wr = requests.request(due.ordinal() - 1);
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        if (ScatterList.check(control, queuePair.domain(), list, count, Long.BYTES) != ScatterList.FITS)
        {
            return false;
        }
        long rest = Fpdu.getLong(frame + Fpdu.UNTAGGED_HEADER + Integer.BYTES);
        sink.set(list, count, 0);
        for (int i = 0; i < Long.BYTES; i++)
        {
            sink.contiguous();
            UnsafeApi.putByte(sink.address(), (byte)rest);
            sink.advance(1);
            rest >>>= Byte.SIZE;
        }
        finishUpTo(due.remove());
        return true;
    }
}
