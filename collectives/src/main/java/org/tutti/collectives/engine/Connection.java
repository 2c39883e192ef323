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
 * Messages are chained, and the chain is posted when it is full and by {@link #flush}: until then nothing is under way,
 * and what goes inline is not copied.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
final class Connection
{
    /** Marks the wr_id of a send request; the rest is peer and ordinal. */
    static final long SEND_WR_ID = 1L << 62;
    /** Registered memory of a connection: what it exposes, and a copy of the peer's control block. */
    static final int SHARED_LENGTH = ControlBlock.EXPOSURE_SIZE + ControlBlock.EXPOSURES_OFFSET;

    /** A quarter of a queue is signaled, or posted, at once. */
    private static final int BATCHES = 4;
    /** Requests that one call to the provider posts at most: an adapter is told of all of them at once. */
    private static final int CHAIN_LENGTH = 8;
    private static final long ORDINAL_MASK = (1L << 40) - 1;

    private final int peer;
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
    private final Mailbox mailbox;

    private Lane lane;
    private long pendingWrite;
    private long lastPut;
    private boolean isConnected;
    private boolean isJoined;
    private int peerQpNum;
    private long scratchAddress;
    private int scratchRkey;
    private long controlAddress;
    private int controlRkey;
    private int chained;
    private long posted;
    private long signaledUpTo;
    private long completed;
    private int consumedReceives;

    /**
     * A connection that is yet to be connected.
     *
     * @param peer      the rank at the other end.
     * @param qp        to it, the caller's.
     * @param rail      that it is on, whose keys open memory.
     * @param sizes     of its queues.
     * @param maxInline the longest message that goes inline, in bytes.
     * @param shared    registered memory of {@link #SHARED_LENGTH} bytes, for this connection alone.
     * @param mailbox   for messages from the peer, or null if it cannot store into this rank's memory.
     */
    Connection(
        final int peer, final QueuePair qp, final int rail, final QueueSizes sizes, final int maxInline,
        final RegisteredBuffer shared, final Mailbox mailbox)
    {
        this.mailbox = mailbox;
        this.peer = peer;
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

    /** The rank at the other end. */
    int peer()
    {
        return peer;
    }

    QueuePair queuePair()
    {
        return qp;
    }

    /** The rail that it is on: the index of its keys. */
    int rail()
    {
        return rail;
    }

    /** Where the peer is: its queue pair and its memory. */
    void remote(
        final int qpNum, final long peerScratchAddress, final int peerScratchRkey,
        final long peerControlAddress, final int peerControlRkey)
    {
        isConnected = true;
        peerQpNum = qpNum;
        scratchAddress = peerScratchAddress;
        scratchRkey = peerScratchRkey;
        controlAddress = peerControlAddress;
        controlRkey = peerControlRkey;
    }

    /** Whether this end stands, and its peer is known. */
    boolean isConnected()
    {
        return isConnected;
    }

    /** Where the peer may leave messages, or null. */
    Mailbox mailbox()
    {
        return mailbox;
    }

    /**
     * From now on messages go into the peer's mailbox, if there is one, and it is within reach.
     *
     * @param address of the mailbox in the peer, or 0.
     * @param rkey    of it.
     */
    void openLane(final long address, final int rkey)
    {
        final Lane found = mailbox == null ? null : Lane.to(qp, address, rkey);
        if (found != null && found.delta(controlAddress, 1, controlRkey) != Lane.NONE &&
            found.delta(scratchAddress, 1, scratchRkey) != Lane.NONE)
        {
            lane = found;
        }
    }

    /** Stores nothing into the peer any more: its memory is about to be unmapped here. */
    void closeLane()
    {
        lane = null;
    }

    /** Whether messages to the peer are stored into its mailbox. */
    boolean isDirect()
    {
        return lane != null;
    }

    /** Both ends stand: messages may be sent. */
    void join()
    {
        isJoined = true;
    }

    /** Whether messages may be sent. */
    boolean isJoined()
    {
        return isJoined;
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

    /** Whether one more message of a schedule can be sent now. */
    boolean canSend()
    {
        return lane == null ? canPost() : lane.hasRoom();
    }

    /** Whether the peer's mailbox has no room. */
    boolean isFull()
    {
        return lane != null && !lane.hasRoom();
    }

    /** Whether one more work request can be posted now. */
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

    /** The ordinal by which {@link #isDone} knows the last PUT. */
    long lastPut()
    {
        return lastPut;
    }

    /**
     * Writes local memory to the peer, and arrives. The caller asked {@link #canSend}.
     *
     * @return false if that needs another call with the same arguments, later.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    boolean put(
        final long address, final int lkey, final int length,
        final long remoteAddress, final int rkey, final int immediate, final long round, final boolean signaled)
    {
        if (lane == null)
        {
            post(address, lkey, length, remoteAddress, rkey, immediate, signaled);
            lastPut = posted;
            return true;
        }
        lastPut = 0;
        if (pendingWrite != 0)
        {
            return writeAndSend(address, lkey, length, remoteAddress, rkey, immediate, round);
        }
        if (length == 0)
        {
            lane.send(immediate, round);
            return true;
        }
        final long delta = lane.delta(remoteAddress, length, rkey);
        if (delta == Lane.NONE)
        {
            return writeAndSend(address, lkey, length, remoteAddress, rkey, immediate, round);
        }
        lane.send(immediate, round, address, length, remoteAddress, delta);
        return true;
    }

    /**
     * Sends what the peer itself writes into its memory, when it is in that round, and arrives. The caller asked
     * {@link #canSend} and {@link #isDirect}.
     */
    void carry(
        final long address, final int length, final long remoteAddress, final int immediate, final long round)
    {
        lane.carry(immediate, round, address, length, remoteAddress);
    }

    /**
     * Says how long a block is that the peer is to be sent. The caller asked {@link #canSend} and {@link #isDirect}.
     *
     * @param length in bytes.
     */
    void announce(final long length, final int immediate, final long round)
    {
        lane.announce(immediate, round, length);
    }

    /**
     * Memory that is out of reach of stores is written by a request, which also finds out whether the peer is gone; the
     * message follows when that is complete.
     */
    private boolean writeAndSend(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate, final long round)
    {
        if (pendingWrite == 0)
        {
            if (canPost())
            {
                entries[0].set(address, length, lkey);
                requests[0].sgList(entryAddress(), 1).rdma(remoteAddress, rkey);
                postOther(SendOpcode.RDMA_WRITE);
                pendingWrite = posted;
            }
            return false;
        }
        if (!isDone(pendingWrite))
        {
            return false;
        }
        pendingWrite = 0;
        lane.send(immediate, round);
        return true;
    }

    private void post(
        final long address, final int lkey, final int length,
        final long remoteAddress, final int rkey, final int immediate, final boolean signaled)
    {
        entries[chained].set(address, length, lkey);
        requests[chained].sgList(entryAddress(), length == 0 ? 0 : 1).rdma(remoteAddress, rkey);
        chain(immediate, signaled, length > 0 && length <= maxInline ? SendFlags.INLINE : 0);
    }

    /**
     * Where this process loads memory of the peer.
     *
     * @param address in the peer.
     * @param length  in bytes, at least 1.
     * @param rkey    of the region.
     * @return an address, or 0 if it is out of reach.
     */
    long reach(final long address, final long length, final int rkey)
    {
        final long delta = lane == null ? Lane.NONE : lane.delta(address, length, rkey);
        return delta == Lane.NONE ? 0 : address + delta;
    }

    /** As {@link Lane#isInputValid}; the caller asked {@link #reach}. */
    boolean isInputValid()
    {
        return lane.isInputValid();
    }

    /** Says HELLO, which is no message of a schedule. */
    void hello()
    {
        postSignal(Immediate.HELLO);
    }

    /** Arrives without data. The caller asked {@link #canSend}. */
    void signal(final int immediate, final long round)
    {
        if (lane == null)
        {
            postSignal(immediate);
        }
        else
        {
            lane.send(immediate, round);
        }
    }

    private void postSignal(final int immediate)
    {
        requests[chained].sgList(0, 0).rdma(controlAddress, controlRkey);
        chain(immediate, false, 0);
    }

    /** Tells the peer where OUTPUT is, or its part of it, and INPUT, and arrives. The caller asked {@link #canSend}. */
    @SuppressWarnings("checkstyle:ParameterNumber")
    void expose(
        final int selfRank, final long address, final long length, final int rkey, final long inputAddress,
        final int inputRkey, final int immediate, final long round)
    {
        // Where it does not go inline: the one before was answered, in the call before, so nothing reads this any more.
        exposure.putLong(0, address);
        exposure.putLong(8, length);
        exposure.putInt(16, rkey);
        exposure.putInt(20, 0);
        exposure.putLong(24, inputAddress);
        exposure.putInt(32, inputRkey);
        exposure.putInt(36, 0);
        final long slot = controlAddress + ControlBlock.exposureOffset(selfRank);
        if (lane != null)
        {
            lane.send(immediate, round, exposure.addressOffset(), ControlBlock.EXPOSURE_LENGTH, slot,
                lane.delta(slot, ControlBlock.EXPOSURE_LENGTH, controlRkey));
            return;
        }
        entries[chained].set(exposure.addressOffset(), ControlBlock.EXPOSURE_LENGTH, exposureLkey);
        requests[chained].sgList(entryAddress(), 1).rdma(slot, controlRkey);
        chain(immediate, false, exposureFlags);
    }

    /** The peer's control block, as {@link #readControl} read it last. */
    ControlBlock controlCopy()
    {
        return new ControlBlock(shared.buffer(ControlBlock.EXPOSURE_SIZE, ControlBlock.EXPOSURES_OFFSET));
    }

    /** Reads the peer's control block; for diagnosis only, it is the one request that is not a write. */
    void readControl()
    {
        flush();
        entries[0].set(shared.address() + ControlBlock.EXPOSURE_SIZE, ControlBlock.EXPOSURES_OFFSET,
            shared.lkey(rail));
        requests[0].sgList(entryAddress(), 1).rdma(controlAddress, controlRkey);
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

    /** Posts what is chained, and wakes the peer if it sleeps and messages are in its mailbox. */
    void flush()
    {
        if (lane != null && canPost() && lane.takeSleeper())
        {
            postSignal(Immediate.WAKE);
        }
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
            .wrId(SEND_WR_ID | (long)peer << 40 | (ordinal & ORDINAL_MASK))
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
                receiveBatch + " receive requests for rank " + peer + " were refused: QP " + qp.qpNum() +
                " is in state " + qp.state());
        }
    }
}
