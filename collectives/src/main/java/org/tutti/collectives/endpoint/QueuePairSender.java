/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.rdma.QueuePair;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;

/**
 * Posts RDMA reads and writes to the send queue of a queue pair. Reuses preallocated work requests, and tracks posted
 * and completed ones. Requests are numbered by ordinals. One request per quarter of the send queue is signaled; its
 * completion completes all earlier ones.
 * <p>
 * Requests are chained, and the chain is posted when it is full or by {@link #flush}: until then nothing is sent, and
 * inline data is not copied.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
public final class QueuePairSender
{
    /** Marks the wr_id of a send request; the other bits are peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;

    /** One request per quarter of the queue is signaled. */
    private static final int BATCHES = 4;
    /** Maximum number of requests per post, which rings the adapter's doorbell once. */
    private static final int CHAIN_LENGTH = 8;
    private static final long ORDINAL_MASK = (1L << 40) - 1;

    private final int peer;
    private final QueuePair qp;
    private final int depth;
    private final int signalInterval;
    private final int maxInline;
    private final UnsafeBuffer memory = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(CHAIN_LENGTH * (SendWorkRequest.SIZE + ScatterGatherEntry.SIZE), 64));
    private final SendWorkRequest[] requests = new SendWorkRequest[CHAIN_LENGTH];
    private final ScatterGatherEntry[] entries = new ScatterGatherEntry[CHAIN_LENGTH];
    private final long firstEntryAddress = memory.addressOffset() + CHAIN_LENGTH * SendWorkRequest.SIZE;

    private int chained;
    private long posted;
    private long signaledUpTo;
    private long completed;

    /**
     * Creates a sender for a queue pair that is not connected yet.
     *
     * @param peer      rank of the peer, from 0.
     * @param qp        queue pair, owned by the caller.
     * @param depth     number of slots of the send queue.
     * @param maxInline maximum length of an inline message, in bytes, from 0.
     */
    public QueuePairSender(final int peer, final QueuePair qp, final int depth, final int maxInline)
    {
        this.peer = peer;
        this.qp = qp;
        this.depth = depth;
        this.maxInline = maxInline;
        signalInterval = depth / BATCHES;
        for (int i = 0; i < CHAIN_LENGTH; i++)
        {
            requests[i] = new SendWorkRequest().wrap(memory, i * SendWorkRequest.SIZE).clear();
            entries[i] = new ScatterGatherEntry().wrap(
                memory, CHAIN_LENGTH * SendWorkRequest.SIZE + i * ScatterGatherEntry.SIZE);
        }
    }

    /** Returns the peer of a request with this wr_id. */
    static int peer(final long wrId)
    {
        return (int)(wrId >>> 40 & 0xFFFFF);
    }

    /**
     * Sets the ordinal from which requests are numbered, for tests of wraparound.
     *
     * @param ordinal ordinal of the last request that counts as posted and completed.
     */
    void startAt(final long ordinal)
    {
        posted = ordinal;
        signaledUpTo = ordinal;
        completed = ordinal;
    }

    /** Returns whether the send queue has slots for a number of further requests. */
    public boolean canPost(final int count)
    {
        return posted - completed <= depth - count;
    }

    /** Returns the ordinal of the last request, chained or posted. */
    public long posted()
    {
        return posted;
    }

    /** Returns the ordinal of the last request that is known to be complete. */
    public long completed()
    {
        return completed;
    }

    /** Returns whether the completion of a signaled request covers the request with this ordinal. */
    public boolean isSignaled(final long ordinal)
    {
        return ordinal <= signaledUpTo;
    }

    /** Processes a successful completion. */
    public void onCompletion(final long wrId)
    {
        completed += ((wrId & ORDINAL_MASK) - completed) & ORDINAL_MASK;
    }

    /**
     * Writes local memory to the peer. Requires {@link #canPost}.
     *
     * @param length length in bytes, from 0.
     * @param flags  flags of {@link SendFlags}, without INLINE.
     */
    public void put(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey, final int flags)
    {
        chain(SendOpcode.RDMA_WRITE, address, lkey, length, remoteAddress, rkey, flags | inline(length));
    }

    /**
     * Writes local memory to the peer, which is notified by a completion. Requires {@link #canPost}.
     *
     * @param length    length in bytes, from 0.
     * @param immediate immediate data of the peer's completion.
     * @param flags     flags of {@link SendFlags}, without INLINE.
     */
    void putWithImmediate(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate, final int flags)
    {
        requests[chained].immData(immediate);
        chain(SendOpcode.RDMA_WRITE_WITH_IMM, address, lkey, length, remoteAddress, rkey, flags | inline(length));
    }

    /**
     * Reads memory of the peer. Requires {@link #canPost}.
     *
     * @param length length in bytes, at least 1.
     * @param flags  flags of {@link SendFlags}, without INLINE.
     */
    public void get(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey, final int flags)
    {
        chain(SendOpcode.RDMA_READ, address, lkey, length, remoteAddress, rkey, flags);
    }

    private int inline(final int length)
    {
        return length > 0 && length <= maxInline ? SendFlags.INLINE : 0;
    }

    private void chain(
        final int opcode, final long address, final int lkey, final int length, final long remoteAddress,
        final int rkey, final int flags)
    {
        final SendWorkRequest request = requests[chained];
        final long ordinal = posted + 1;
        final boolean isSignaled = (flags & SendFlags.SIGNALED) != 0 || ordinal - signaledUpTo >= signalInterval;
        entries[chained].set(address, length, lkey);
        if (chained > 0)
        {
            requests[chained - 1].next(request.nativeAddress());
        }
        request
            .opcode(opcode)
            .sgList(firstEntryAddress + (long)chained * ScatterGatherEntry.SIZE, length == 0 ? 0 : 1)
            .rdma(remoteAddress, rkey)
            .next(0)
            .wrId(SEND_WR_ID | (long)peer << 40 | (ordinal & ORDINAL_MASK))
            .sendFlags(isSignaled ? flags | SendFlags.SIGNALED : flags);
        posted = ordinal;
        if (isSignaled)
        {
            signaledUpTo = ordinal;
        }
        if (++chained == CHAIN_LENGTH)
        {
            flush();
        }
    }

    /** Posts the chained requests. */
    public void flush()
    {
        if (chained > 0)
        {
            chained = 0;
            final int errno = qp.postSend(memory.addressOffset());
            if (errno != 0)
            {
                throw new RdmaException(errno, "ibv_post_send", "a message to rank " + peer + " was refused: QP " +
                    qp.qpNum() + " is in state " + qp.state());
            }
        }
    }
}
