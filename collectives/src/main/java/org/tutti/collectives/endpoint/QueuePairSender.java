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
 * Posts RDMA reads and writes to the send queue of a queue pair: the work requests, written once and changed in place,
 * and the accounting of what is posted and what is complete. Requests are numbered by ordinals. One request in a
 * quarter of the send queue is signaled; its completion completes all before it.
 * <p>
 * Requests are chained, and the chain is posted when it is full and by {@link #flush}: until then nothing is under way,
 * and what goes inline is not copied.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
public final class QueuePairSender
{
    /** Marks the wr_id of a send request; the rest is peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;

    /** A quarter of the queue is signaled at once. */
    private static final int BATCHES = 4;
    /** Requests that one call to the provider posts at most: an adapter is told of all of them at once. */
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
     * For a queue pair that is yet to be connected.
     *
     * @param peer      rank at the other end, from 0.
     * @param qp        owned by the caller.
     * @param depth     slots of its send queue.
     * @param maxInline longest message that goes inline, in bytes, from 0.
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

    /** The rank that a request with this wr_id goes to. */
    static int peer(final long wrId)
    {
        return (int)(wrId >>> 40 & 0xFFFFF);
    }

    /**
     * Numbers requests from here, for tests of very many.
     *
     * @param ordinal ordinal of the last request that counts as posted and completed.
     */
    void startAt(final long ordinal)
    {
        posted = ordinal;
        signaledUpTo = ordinal;
        completed = ordinal;
    }

    /** Whether the send queue has slots for so many more requests. */
    public boolean canPost(final int count)
    {
        return posted - completed <= depth - count;
    }

    /** The ordinal of the last request, chained or posted. */
    public long posted()
    {
        return posted;
    }

    /** The ordinal of the last request that is known to be complete. */
    public long completed()
    {
        return completed;
    }

    /** Whether completions of requests so far tell when this one is complete. */
    public boolean isSignaled(final long ordinal)
    {
        return ordinal <= signaledUpTo;
    }

    /** Takes note of a successful completion. */
    public void onCompletion(final long wrId)
    {
        completed += ((wrId & ORDINAL_MASK) - completed) & ORDINAL_MASK;
    }

    /**
     * Writes local memory to the peer. The caller asked {@link #canPost}.
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
     * Writes local memory to the peer, which is notified by a completion. The caller asked {@link #canPost}.
     *
     * @param length    length in bytes, from 0.
     * @param immediate data of the peer's completion.
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
     * Reads memory of the peer. The caller asked {@link #canPost}.
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

    /** Posts what is chained. */
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
