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
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * The way to one peer: its queue pair, where its memory is, the work requests, written once and changed in place, and
 * the accounting of both queues. Every message is an RDMA write with immediate, so the peer's receive requests have no
 * buffers. One request in a quarter of the send queue is signaled; its completion frees all before it.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
final class Connection
{
    /** Marks the wr_id of a send request; the rest is peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;

    /** A quarter of a queue is signaled, or posted, at once. */
    private static final int BATCHES = 4;
    private static final long ORDINAL_MASK = (1L << 40) - 1;

    private final int peer;
    private final QueuePair qp;
    private final int sendDepth;
    private final int signalInterval;
    private final int receiveBatch;
    private final int maxInline;
    private final UnsafeBuffer memory;
    private final SendWorkRequest request = new SendWorkRequest();
    private final ScatterGatherEntry entry = new ScatterGatherEntry();
    private final long sgeAddress;
    private final long receiveChainAddress;
    private final UnsafeBuffer exposure;
    private final int exposureLkey;
    private final int exposureFlags;

    private int peerQpNum;
    private long scratchAddress;
    private int scratchRkey;
    private long controlAddress;
    private int controlRkey;
    private long posted;
    private long signaledUpTo;
    private long completed;
    private int consumedReceives;

    /**
     * A connection that is yet to be connected.
     *
     * @param peer      the rank at the other end.
     * @param qp        to it, the caller's.
     * @param sizes     of its queues.
     * @param maxInline the longest message that goes inline, in bytes.
     * @param exposure  registered memory of {@link ControlBlock#EXPOSURE_SIZE} bytes, for this connection alone.
     */
    Connection(
        final int peer, final QueuePair qp, final QueueSizes sizes, final int maxInline,
        final RegisteredBuffer exposure)
    {
        this.peer = peer;
        this.qp = qp;
        this.maxInline = maxInline;
        this.exposure = exposure.buffer();
        exposureLkey = exposure.lkey();
        exposureFlags = ControlBlock.EXPOSURE_LENGTH <= maxInline ? SendFlags.INLINE : 0;
        sendDepth = sizes.send();
        signalInterval = sizes.send() / BATCHES;
        receiveBatch = sizes.receive() / BATCHES;
        final int sgeOffset = SendWorkRequest.SIZE;
        final int receiveOffset = sgeOffset + ScatterGatherEntry.SIZE;
        memory = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(receiveOffset + receiveBatch * ReceiveWorkRequest.SIZE, 64));
        sgeAddress = memory.addressOffset() + sgeOffset;
        receiveChainAddress = memory.addressOffset() + receiveOffset;
        request.wrap(memory, 0).clear().opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
        entry.wrap(memory, sgeOffset);

        final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int i = 0; i < receiveBatch; i++)
        {
            receive.wrap(memory, receiveOffset + i * ReceiveWorkRequest.SIZE).clear().wrId(peer)
                .next(i + 1 < receiveBatch ?
                    receiveChainAddress + (i + 1L) * ReceiveWorkRequest.SIZE : 0);
        }
    }

    /** The rank at the other end of a request of either kind. */
    static int peer(final long wrId)
    {
        return isSend(wrId) ? peerOf(wrId) : (int)wrId;
    }

    /** The rank that a send request goes to. */
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

    /** Where the peer is: its queue pair and its memory. */
    void remote(
        final int qpNum, final long peerScratchAddress, final int peerScratchRkey,
        final long peerControlAddress, final int peerControlRkey)
    {
        peerQpNum = qpNum;
        scratchAddress = peerScratchAddress;
        scratchRkey = peerScratchRkey;
        controlAddress = peerControlAddress;
        controlRkey = peerControlRkey;
    }

    int peerQpNum()
    {
        return peerQpNum;
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
        for (int i = 0; i < BATCHES; i++)
        {
            postReceiveBatch();
        }
    }

    /** Takes note of a consumed receive request, and posts a batch of new ones when a batch is used up. */
    void onReceive()
    {
        if (++consumedReceives == receiveBatch)
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
        return posted - completed < sendDepth;
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
        // Where it does not go inline: the one before was answered, in the call before, so nothing reads this any more.
        exposure.putLong(0, address);
        exposure.putInt(8, rkey);
        exposure.putInt(12, 0);
        entry.set(exposure.addressOffset(), ControlBlock.EXPOSURE_LENGTH, exposureLkey);
        request.sgList(sgeAddress, 1).rdma(controlAddress + ControlBlock.exposureOffset(selfRank), controlRkey);
        post(immediate, false, exposureFlags);
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

    private void post(final int immediate, final boolean mustSignal, final int flags)
    {
        final long ordinal = posted + 1;
        final boolean signaled = mustSignal || ordinal - signaledUpTo >= signalInterval;
        request
            .immData(immediate)
            .wrId(SEND_WR_ID | (long)peer << 40 | (ordinal & ORDINAL_MASK))
            .sendFlags(signaled ? flags | SendFlags.SIGNALED : flags);
        final int errno = qp.postSend(request.nativeAddress());
        if (errno != 0)
        {
            throw new RdmaException(errno, "ibv_post_send",
                "the message to rank " + peer + " was refused: QP " + qp.qpNum() + " is in state " + qp.state());
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
                receiveBatch + " receive requests for rank " + peer + " were refused: QP " + qp.qpNum() +
                " is in state " + qp.state());
        }
    }
}
