/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;
import org.tutti.rdma.tcp.wire.ReadRequest;

/**
 * Makes the frames of a requester: of a send or write one segment after the other, of a read or atomic the request.
 * Numbers the messages of each queue. Used by one thread at a time; allocates nothing.
 */
final class RequestFrames
{
    private static final int IMMEDIATE_SIZE = 8;

    private final ScatterList source = new ScatterList();
    private final int maxPayload;
    /** The send or write whose segments are being sent, or 0. */
    private long unfinished;
    private long length;
    private long done;
    /** Whether the peer understands announcements: it is no standard peer. */
    private boolean isAnnouncing;
    /** Segments that are announced and not sent yet. */
    private int announced;
    private int sendMsn;
    private int readMsn;

    RequestFrames(final int maxPayload)
    {
        this.maxPayload = maxPayload;
    }

    /** Prepares for a new connection. */
    void reset(final int firstSendMsn, final boolean isStandard)
    {
        isAnnouncing = !isStandard;
        sendMsn = firstSendMsn;
        readMsn = 1;
        abandon();
    }

    /** Forgets the segments that are left. */
    void abandon()
    {
        unfinished = 0;
        announced = 0;
    }

    void free()
    {
        source.free();
    }

    /** Whether segments of a send or write are left. */
    boolean isUnfinished()
    {
        return unfinished != 0;
    }

    /** Whether the next frame is announced, so that no other may be sent before it. */
    boolean isAnnounced()
    {
        return announced > 0;
    }

    /** Whether some of the data of the unfinished request is sent. */
    boolean isStarted()
    {
        return done > 0;
    }

    /** The address of the unfinished request. */
    long request()
    {
        return unfinished;
    }

    /** The length of the data of the unfinished request, in bytes. */
    long length()
    {
        return length;
    }

    /**
     * Starts a send or write, whose segments {@link #addSegment} adds.
     *
     * @param wr    address of the request, valid until its last segment is added.
     * @param bytes length of its data in bytes.
     */
    void begin(final long wr, final long bytes)
    {
        unfinished = wr;
        length = bytes;
        done = 0;
        source.set(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET),
            UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET));
    }

    /** Adds the next segment of a send or write, or its immediate data. */
    void addSegment(final FrameWriter writer)
    {
        final long wr = unfinished;
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final boolean isSolicited =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
        final boolean isWithImmediate = opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
        if (isWithImmediate && done == length)
        {
            addImmediate(writer, wr, isSolicited);
            unfinished = 0;
            return;
        }
        final int payload = (int)Math.min(length - done, maxPayload);
        final boolean isLast = done + payload == length;
        if (opcode == SendOpcode.RDMA_WRITE || isWithImmediate)
        {
            final long frame = writer.begin(Fpdu.TAGGED_HEADER);
            Fpdu.putTagged(frame, Fpdu.WRITE, isLast, UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET),
                UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET) + done, payload);
            announce(frame, payload);
        }
        else
        {
            addSendHeader(writer, wr, isLast, isSolicited, payload);
        }
        addPayload(writer, payload);
        writer.end();
        done += payload;
        if (isLast && !isWithImmediate)
        {
            unfinished = 0;
        }
    }

    /** Announces the segments that follow one of a write, as many as possible that are as long. */
    private void announce(final long frame, final int payload)
    {
        if (announced > 0)
        {
            announced--;
        }
        else if (isAnnouncing && payload > FrameWriter.COPY_LIMIT)
        {
            final long following = Math.min(Fpdu.MAX_ANNOUNCED, (length - done) / payload - 1);
            announced = Integer.highestOneBit((int)following + 1) - 1;
            Fpdu.announce(frame, announced);
        }
    }

    private void addSendHeader(
        final FrameWriter writer, final long wr, final boolean isLast, final boolean isSolicited, final int payload)
    {
        final boolean hasImmediate =
            UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET) == SendOpcode.SEND_WITH_IMM;
        final int opcode = hasImmediate ?
            (isSolicited ? Fpdu.SEND_SOLICITED_INVALIDATE : Fpdu.SEND_INVALIDATE) :
            (isSolicited ? Fpdu.SEND_SOLICITED : Fpdu.SEND);
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, opcode, isLast, Fpdu.SEND_QUEUE, sendMsn, (int)done, payload);
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
        Fpdu.putInt(data + Integer.BYTES, (int)length);
        writer.end();
    }

    private void addPayload(final FrameWriter writer, final int payload)
    {
        final boolean isCopied = payload <= FrameWriter.COPY_LIMIT;
        int left = payload;
        while (left > 0)
        {
            final int step = (int)Math.min(left, source.contiguous());
            writer.add(source.address(), step, isCopied);
            source.advance(step);
            left -= step;
        }
    }

    /** Adds a read without data, whose response says that earlier requests are executed. */
    void addEmptyRead(final FrameWriter writer)
    {
        putRead(writer, 0, 0, 0, 0, 0);
    }

    /**
     * Adds the request of a read or atomic.
     *
     * @param writer  writer that has room.
     * @param wr      address of the request.
     * @param bytes   length of its data in bytes.
     * @param ordinal number by which the response to an atomic is recognized.
     */
    void addRead(final FrameWriter writer, final long wr, final long bytes, final long ordinal)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final long remote = UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        if (opcode == SendOpcode.RDMA_READ)
        {
            putRead(writer, sinkKey(wr), sinkOffset(wr), bytes,
                UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET), remote);
            return;
        }
        final boolean isAdd = opcode == SendOpcode.ATOMIC_FETCH_AND_ADD;
        final long operand = UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET);
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, Fpdu.ATOMIC_REQUEST, true, Fpdu.READ_QUEUE, readMsn++, 0, AtomicRequest.SIZE);
        AtomicRequest.put(writer.room(AtomicRequest.SIZE), isAdd ? AtomicRequest.FETCH_ADD : AtomicRequest.COMPARE_SWAP,
            (int)ordinal, UnsafeApi.getInt(wr + SendWorkRequest.ATOMIC_RKEY_OFFSET), remote,
            isAdd ? operand : UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_SWAP_OFFSET), isAdd ? 0 : operand);
        writer.end();
    }

    private void putRead(final FrameWriter writer, final int stag, final long offset, final long bytes,
        final int key, final long remote)
    {
        final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
        Fpdu.putUntagged(frame, Fpdu.READ_REQUEST, true, Fpdu.READ_QUEUE, readMsn++, 0, ReadRequest.SIZE);
        ReadRequest.put(writer.room(ReadRequest.SIZE), stag, offset, (int)bytes, key, remote);
        writer.end();
    }

    /** The STag to which a read is sent: the key of its first entry. */
    static int sinkKey(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET) == 0 ? 0 :
            SgeList.key(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
    }

    /** The tagged offset to which a read is sent: the address of its first entry. */
    static long sinkOffset(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET) == 0 ? 0 :
            SgeList.address(UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET));
    }
}
