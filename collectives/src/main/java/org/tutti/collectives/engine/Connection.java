/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;

/**
 * The way to one peer: its queue pair, where its memory is, the work requests, written once and changed in place, and
 * the accounting of both queues. Every message is an RDMA write with immediate, so the peer's receive requests have no
 * buffers. One request in {@link #SIGNAL_INTERVAL} is signaled; its completion frees all before it.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
final class Connection implements AutoCloseable
{
    /** Slots of the send queue. */
    static final int SEND_DEPTH = 128;
    /** Receive requests that are posted ahead, well above what a schedule may leave outstanding in two calls. */
    static final int RECEIVE_DEPTH = 256;
    /** Marks the wr_id of a send request; the rest is peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;

    private static final int SIGNAL_INTERVAL = SEND_DEPTH / 4;
    static final int RECEIVE_BATCH = 64;
    private static final long ORDINAL_MASK = (1L << 40) - 1;

    private final int peer;
    private final QueuePair qp;
    private final int maxInline;
    private final UnsafeBuffer memory;
    private final SendWorkRequest request = new SendWorkRequest();
    private final ScatterGatherEntry entry = new ScatterGatherEntry();
    private final long sgeAddress;
    private final long receiveChainAddress;
    private final long payloadAddress;
    private final int payloadOffset;

    private long scratchAddress;
    private int scratchRkey;
    private long controlAddress;
    private int controlRkey;
    private long posted;
    private long signaledUpTo;
    private long completed;
    private int consumedReceives;

    Connection(final int peer, final QueuePair qp, final int maxInline)
    {
        this.peer = peer;
        this.qp = qp;
        this.maxInline = maxInline;
        final int sgeOffset = SendWorkRequest.SIZE;
        final int receiveOffset = sgeOffset + ScatterGatherEntry.SIZE;
        payloadOffset = receiveOffset + RECEIVE_BATCH * ReceiveWorkRequest.SIZE;
        memory = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(payloadOffset + ControlBlock.EXPOSURE_SIZE, 64));
        sgeAddress = memory.addressOffset() + sgeOffset;
        receiveChainAddress = memory.addressOffset() + receiveOffset;
        payloadAddress = memory.addressOffset() + payloadOffset;
        request.wrap(memory, 0).clear().opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
        entry.wrap(memory, sgeOffset);

        final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int i = 0; i < RECEIVE_BATCH; i++)
        {
            receive.wrap(memory, receiveOffset + i * ReceiveWorkRequest.SIZE).clear().wrId(peer)
                .next(i + 1 < RECEIVE_BATCH ?
                    receiveChainAddress + (i + 1L) * ReceiveWorkRequest.SIZE : 0);
        }
    }

    static int peerOf(final long wrId)
    {
        return (int)(wrId >>> 40 & 0xFFFFF);
    }

    static boolean isSend(final long wrId)
    {
        return (wrId & SEND_WR_ID) != 0;
    }

    QueuePair queuePair()
    {
        return qp;
    }

    void remote(
        final long peerScratchAddress, final int peerScratchRkey,
        final long peerControlAddress, final int peerControlRkey)
    {
        scratchAddress = peerScratchAddress;
        scratchRkey = peerScratchRkey;
        controlAddress = peerControlAddress;
        controlRkey = peerControlRkey;
    }

    long scratchAddress()
    {
        return scratchAddress;
    }

    int scratchRkey()
    {
        return scratchRkey;
    }

    /**
     * Numbers requests from here, for tests of very many.
     *
     * @param ordinal of the last request that counts as posted and completed.
     */
    void startAt(final long ordinal)
    {
        posted = ordinal;
        signaledUpTo = ordinal;
        completed = ordinal;
    }

    /** Posts all receive requests; once, before the peer can send. */
    void postReceives()
    {
        for (int i = 0; i < RECEIVE_DEPTH / RECEIVE_BATCH; i++)
        {
            postReceiveBatch();
        }
    }

    /** Takes note of a consumed receive request, and posts a batch of new ones when a batch is used up. */
    void onReceive()
    {
        if (++consumedReceives == RECEIVE_BATCH)
        {
            consumedReceives = 0;
            postReceiveBatch();
        }
    }

    /** Takes note of a completion of this connection. */
    void onSendCompletion(final long wrId)
    {
        completed += ((wrId & ORDINAL_MASK) - completed) & ORDINAL_MASK;
    }

    boolean canPost()
    {
        return posted - completed < SEND_DEPTH;
    }

    /** The ordinal of the last request posted: done when {@link #isDone} says so, if it was signaled or inline. */
    long posted()
    {
        return posted;
    }

    boolean isDone(final long ordinal)
    {
        return ordinal <= completed;
    }

    boolean isInline(final long length)
    {
        return length <= maxInline;
    }

    /** Writes local memory to the peer, and arrives. The caller asked {@link #canPost}. */
    void put(
        final long address, final int lkey, final int length,
        final long remoteAddress, final int rkey, final int immediate, final boolean signaled)
    {
        entry.set(address, length, lkey);
        request.sgList(sgeAddress, length == 0 ? 0 : 1).rdma(remoteAddress, rkey);
        post(immediate, signaled, length <= maxInline ? SendFlags.INLINE : 0);
    }

    /** Arrives without data. The caller asked {@link #canPost}. */
    void signal(final int immediate)
    {
        request.sgList(0, 0).rdma(controlAddress, controlRkey);
        post(immediate, false, 0);
    }

    /** Tells the peer where OUTPUT is, and arrives. The caller asked {@link #canPost}. */
    void expose(final int selfRank, final long address, final int rkey, final int immediate)
    {
        memory.putLong(payloadOffset, address);
        memory.putInt(payloadOffset + 8, rkey);
        memory.putInt(payloadOffset + 12, 0);
        entry.set(payloadAddress, ControlBlock.EXPOSURE_LENGTH, 0);
        request.sgList(sgeAddress, 1).rdma(controlAddress + ControlBlock.exposureOffset(selfRank), controlRkey);
        post(immediate, false, SendFlags.INLINE);
    }

    /** Reads the peer's control block; for diagnosis only, it is the one request that is not a write. */
    void readControl(final long address, final int lkey, final int length)
    {
        entry.set(address, length, lkey);
        request.sgList(sgeAddress, 1).rdma(controlAddress, controlRkey).opcode(SendOpcode.RDMA_READ);
        try
        {
            post(0, true, 0);
        }
        finally
        {
            request.opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
        }
    }

    @Override
    public void close()
    {
        qp.close();
    }

    private void post(final int immediate, final boolean mustSignal, final int flags)
    {
        final long ordinal = posted + 1;
        final boolean signaled = mustSignal || ordinal - signaledUpTo >= SIGNAL_INTERVAL;
        request
            .immData(immediate)
            .wrId(SEND_WR_ID | (long)peer << 40 | (ordinal & ORDINAL_MASK))
            .sendFlags(signaled ? flags | SendFlags.SIGNALED : flags);
        final int errno = qp.postSend(request.nativeAddress());
        if (errno != 0)
        {
            throw new RdmaException(errno, "ibv_post_send",
                "the message to rank " + peer + " was refused in state " + qp.state());
        }
        posted = ordinal;
        if (signaled)
        {
            signaledUpTo = ordinal;
        }
    }

    private void postReceiveBatch()
    {
        final int errno = qp.postReceive(receiveChainAddress);
        if (errno != 0)
        {
            throw new RdmaException(errno, "ibv_post_recv",
                RECEIVE_BATCH + " receive requests for rank " + peer + " were refused");
        }
    }
}
