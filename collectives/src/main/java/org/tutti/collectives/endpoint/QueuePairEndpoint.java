/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.device.QueueSizes;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Sends by a queue pair: its work requests, written once and changed in place, and the accounting of both queues. Every
 * message is an RDMA write with immediate, so the peer's receive requests have no buffers. One request in a quarter of
 * the send queue is signaled; its completion frees all before it.
 * <p>
 * Messages are chained, and the chain is posted when it is full and by {@link #flush}: until then nothing is under way,
 * and what goes inline is not copied.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
public final class QueuePairEndpoint extends Endpoint
{
    /** Marks the wr_id of a send request; the rest is peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;
    /** Registered memory of an endpoint: what it exposes, and a copy of the peer's control block. */
    public static final int SHARED_LENGTH = ControlBlock.EXPOSURE_SIZE + ControlBlock.EXPOSURES_OFFSET;

    /** A quarter of a queue is signaled, or posted, at once. */
    private static final int BATCHES = 4;
    /** Requests that one call to the provider posts at most: an adapter is told of all of them at once. */
    private static final int CHAIN_LENGTH = 8;
    private static final long ORDINAL_MASK = (1L << 40) - 1;

    private final QueuePair qp;
    private final int rail;
    private final int sendDepth;
    private final int signalInterval;
    private final int receiveBatch;
    private final int maxInline;
    private final UnsafeBuffer memory;
    private final SendWorkRequest[] requests = new SendWorkRequest[CHAIN_LENGTH];
    private final ScatterGatherEntry[] entries = new ScatterGatherEntry[CHAIN_LENGTH];
    private final long firstEntryAddress;
    private final long receiveChainAddress;
    private final RegisteredBuffer shared;
    private final UnsafeBuffer exposure;
    private final int exposureLkey;
    private final int exposureFlags;

    private int chained;
    private long posted;
    private long signaledUpTo;
    private long completed;
    private int consumedReceives;

    /**
     * One that is yet to be connected.
     *
     * @param peer      the rank at the other end.
     * @param qp        to it, the caller's.
     * @param rail      that it is on, whose keys open memory.
     * @param sizes     of its queues.
     * @param maxInline the longest message that goes inline, in bytes.
     * @param shared    registered memory of {@link #SHARED_LENGTH} bytes, for this endpoint alone.
     */
    public QueuePairEndpoint(
        final int peer, final QueuePair qp, final int rail, final QueueSizes sizes, final int maxInline,
        final RegisteredBuffer shared)
    {
        super(peer);
        this.qp = qp;
        this.rail = rail;
        this.maxInline = maxInline;
        this.shared = shared;
        exposure = shared.buffer(0, ControlBlock.EXPOSURE_SIZE);
        exposureLkey = shared.lkey(rail);
        exposureFlags = ControlBlock.EXPOSURE_LENGTH <= maxInline ? SendFlags.INLINE : 0;
        sendDepth = sizes.send();
        signalInterval = sizes.send() / BATCHES;
        receiveBatch = sizes.receive() / BATCHES;
        final int entriesOffset = CHAIN_LENGTH * SendWorkRequest.SIZE;
        final int receiveOffset = entriesOffset + CHAIN_LENGTH * ScatterGatherEntry.SIZE;
        memory = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(receiveOffset + receiveBatch * ReceiveWorkRequest.SIZE, 64));
        firstEntryAddress = memory.addressOffset() + entriesOffset;
        receiveChainAddress = memory.addressOffset() + receiveOffset;
        for (int i = 0; i < CHAIN_LENGTH; i++)
        {
            requests[i] = new SendWorkRequest().wrap(memory, i * SendWorkRequest.SIZE).clear()
                .opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
            entries[i] = new ScatterGatherEntry().wrap(memory, entriesOffset + i * ScatterGatherEntry.SIZE);
        }

        final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int i = 0; i < receiveBatch; i++)
        {
            receive.wrap(memory, receiveOffset + i * ReceiveWorkRequest.SIZE).clear().wrId(peer)
                .next(i + 1 < receiveBatch ?
                    receiveChainAddress + (i + 1L) * ReceiveWorkRequest.SIZE : 0);
        }
    }

    /** The rank at the other end of a request of either kind. */
    public static int peer(final long wrId)
    {
        return isSend(wrId) ? peerOf(wrId) : (int)wrId;
    }

    /** The rank that a send request goes to. */
    public static int peerOf(final long wrId)
    {
        return (int)(wrId >>> 40 & 0xFFFFF);
    }

    public static boolean isSend(final long wrId)
    {
        return (wrId & SEND_WR_ID) != 0;
    }

    QueuePair queuePair()
    {
        return qp;
    }

    @Override
    public int rail()
    {
        return rail;
    }

    @Override
    public boolean isDirect()
    {
        return false;
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
    public void postReceives()
    {
        for (int i = 0; i < BATCHES; i++)
        {
            postReceiveBatch();
        }
    }

    /** Takes note of a consumed receive request, and posts a batch of new ones when a batch is used up. */
    public void onReceive()
    {
        if (++consumedReceives == receiveBatch)
        {
            consumedReceives = 0;
            postReceiveBatch();
        }
    }

    /** Takes note of a completion of this endpoint. */
    public void onSendCompletion(final long wrId)
    {
        completed += ((wrId & ORDINAL_MASK) - completed) & ORDINAL_MASK;
    }

    @Override
    public boolean canSend()
    {
        return canPost();
    }

    @Override
    public boolean isFull()
    {
        return false;
    }

    /** Whether one more work request can be posted now. */
    public boolean canPost()
    {
        return posted - completed < sendDepth;
    }

    /** The ordinal of the last request posted: done when {@link #isDone} says so, if it was signaled or inline. */
    public long posted()
    {
        return posted;
    }

    @Override
    public boolean isDone(final long ordinal)
    {
        return ordinal <= completed;
    }

    @Override
    public long lastPut()
    {
        return posted;
    }

    @Override
    public boolean putWithImmediate(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate, final long round, final boolean signaled)
    {
        entries[chained].set(address, length, lkey);
        requests[chained].sgList(entryAddress(), length == 0 ? 0 : 1).rdma(remoteAddress, rkey);
        chain(immediate, signaled, length > 0 && length <= maxInline ? SendFlags.INLINE : 0);
        return true;
    }

    @Override
    public boolean isEager(final long length)
    {
        return false;
    }

    @Override
    public void sendEager(
        final long address, final int length, final long remoteAddress, final int immediate, final long round)
    {
        throw needsStores();
    }

    @Override
    public void sendLength(final long length, final int immediate, final long round)
    {
        throw needsStores();
    }

    private IllegalStateException needsStores()
    {
        return new IllegalStateException("rank " + peer() + " is out of reach of stores");
    }

    @Override
    public void signal(final int immediate, final long round)
    {
        signal(immediate);
    }

    /** Sends a message that is of no round. */
    public void signal(final int immediate)
    {
        requests[chained].sgList(0, 0).rdma(controlAddress(), controlRkey());
        chain(immediate, false, 0);
    }

    @Override
    public void expose(
        final RegisteredBuffer output, final long offset, final long length, final RegisteredBuffer input,
        final int immediate, final long round)
    {
        entries[chained].set(writeExposure(output, offset, length, input), ControlBlock.EXPOSURE_LENGTH, exposureLkey);
        requests[chained].sgList(entryAddress(), 1).rdma(exposureAddress(), controlRkey());
        chain(immediate, false, exposureFlags);
    }

    /**
     * Writes where buffers are to the memory of this endpoint. Where it does not go inline: the exposure before was
     * answered, in the call before, so nothing reads this any more.
     *
     * @return its address.
     */
    long writeExposure(
        final RegisteredBuffer output, final long offset, final long length, final RegisteredBuffer input)
    {
        exposure.putLong(0, output.address() + offset);
        exposure.putLong(8, length);
        exposure.putInt(16, output.rkey(rail));
        exposure.putInt(20, 0);
        exposure.putLong(24, input.address());
        exposure.putInt(32, input.rkey(rail));
        exposure.putInt(36, 0);
        return exposure.addressOffset();
    }

    @Override
    public long reach(final long address, final long length, final int rkey)
    {
        return 0;
    }

    @Override
    public boolean isInputValid()
    {
        throw needsStores();
    }

    /** Writes local memory to the peer, without a message; {@link #isDone} tells when that is complete. */
    void write(final long address, final int lkey, final int length, final long remoteAddress, final int rkey)
    {
        entries[0].set(address, length, lkey);
        requests[0].sgList(entryAddress(), 1).rdma(remoteAddress, rkey);
        postOther(SendOpcode.RDMA_WRITE);
    }

    /** The peer's control block, as {@link #readControl} read it last. */
    public ControlBlock controlCopy()
    {
        return new ControlBlock(shared.buffer(ControlBlock.EXPOSURE_SIZE, ControlBlock.EXPOSURES_OFFSET));
    }

    /** Reads the peer's control block; for diagnosis only, it is the one request that is not a write. */
    public void readControl()
    {
        flush();
        entries[0].set(shared.address() + ControlBlock.EXPOSURE_SIZE, ControlBlock.EXPOSURES_OFFSET,
            shared.lkey(rail));
        requests[0].sgList(entryAddress(), 1).rdma(controlAddress(), controlRkey());
        postOther(SendOpcode.RDMA_READ);
    }

    private void postOther(final int opcode)
    {
        requests[0].opcode(opcode);
        try
        {
            chain(0, true, 0);
            flush();
        }
        finally
        {
            requests[0].opcode(SendOpcode.RDMA_WRITE_WITH_IMM);
        }
    }

    @Override
    public void flush()
    {
        if (chained > 0)
        {
            chained = 0;
            final int errno = qp.postSend(memory.addressOffset());
            if (errno != 0)
            {
                throw new RdmaException(errno, "ibv_post_send", "a message to rank " + peer() + " was refused: QP " +
                    qp.qpNum() + " is in state " + qp.state());
            }
        }
    }

    private long entryAddress()
    {
        return firstEntryAddress + (long)chained * ScatterGatherEntry.SIZE;
    }

    private void chain(final int immediate, final boolean mustSignal, final int flags)
    {
        final long ordinal = posted + 1;
        final boolean signaled = mustSignal || ordinal - signaledUpTo >= signalInterval;
        if (chained > 0)
        {
            requests[chained - 1].next(requests[chained].nativeAddress());
        }
        requests[chained]
            .next(0)
            .immData(immediate)
            .wrId(SEND_WR_ID | (long)peer() << 40 | (ordinal & ORDINAL_MASK))
            .sendFlags(signaled ? flags | SendFlags.SIGNALED : flags);
        posted = ordinal;
        if (signaled)
        {
            signaledUpTo = ordinal;
        }
        if (++chained == CHAIN_LENGTH)
        {
            flush();
        }
    }

    private void postReceiveBatch()
    {
        final int errno = qp.postReceive(receiveChainAddress);
        if (errno != 0)
        {
            throw new RdmaException(errno, "ibv_post_recv",
                receiveBatch + " receive requests for rank " + peer() + " were refused: QP " + qp.qpNum() +
                " is in state " + qp.state());
        }
    }
}
