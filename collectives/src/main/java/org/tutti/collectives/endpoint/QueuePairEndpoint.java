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
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * Sends by a {@link QueuePairSender}, and posts the receive requests for what the peer sends. Every message is an RDMA
 * write with immediate, so the peer's receive requests have no buffers.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
public final class QueuePairEndpoint extends Endpoint
{
    /** Registered memory of an endpoint: what it exposes, and a copy of the peer's control block. */
    public static final int SHARED_LENGTH = ControlBlock.EXPOSURE_SIZE + ControlBlock.EXPOSURES_OFFSET;

    /** A quarter of the receive queue is posted at once. */
    private static final int BATCHES = 4;

    private final QueuePair qp;
    private final QueuePairSender sender;
    private final int deviceIndex;
    private final int receiveBatch;
    private final UnsafeBuffer receives;
    private final RegisteredBuffer shared;
    private final UnsafeBuffer exposure;
    private final int exposureLkey;

    private int consumedReceives;

    /**
     * One that is yet to be connected.
     *
     * @param peer        the rank at the other end.
     * @param qp          queue pair to it, owned by the caller.
     * @param deviceIndex index of its device, whose keys are used.
     * @param sizes       sizes of its queues.
     * @param maxInline   the longest message that goes inline, in bytes.
     * @param shared      registered memory of {@link #SHARED_LENGTH} bytes, for this endpoint alone.
     */
    public QueuePairEndpoint(
        final int peer, final QueuePair qp, final int deviceIndex, final QueueSizes sizes, final int maxInline,
        final RegisteredBuffer shared)
    {
        super(peer);
        this.qp = qp;
        this.deviceIndex = deviceIndex;
        this.shared = shared;
        sender = new QueuePairSender(peer, qp, sizes.send(), maxInline);
        exposure = shared.buffer(0, ControlBlock.EXPOSURE_SIZE);
        exposureLkey = shared.lkey(deviceIndex);
        receiveBatch = sizes.receive() / BATCHES;
        receives = new UnsafeBuffer(BufferUtil.allocateDirectAligned(receiveBatch * ReceiveWorkRequest.SIZE, 64));
        final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int i = 0; i < receiveBatch; i++)
        {
            receive.wrap(receives, i * ReceiveWorkRequest.SIZE).clear().wrId(peer)
                .next(i + 1 < receiveBatch ? receives.addressOffset() + (i + 1L) * ReceiveWorkRequest.SIZE : 0);
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
        return QueuePairSender.peer(wrId);
    }

    public static boolean isSend(final long wrId)
    {
        return (wrId & QueuePairSender.SEND_WR_ID) != 0;
    }

    QueuePair queuePair()
    {
        return qp;
    }

    @Override
    public int deviceIndex()
    {
        return deviceIndex;
    }

    @Override
    public boolean isDirect()
    {
        return false;
    }

    /** Posts its requests, and knows which are complete. */
    QueuePairSender sender()
    {
        return sender;
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
        sender.onCompletion(wrId);
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
        return sender.canPost(1);
    }

    /** The ordinal of the last request posted: done when {@link #isDone} says so, if it was signaled or inline. */
    public long posted()
    {
        return sender.posted();
    }

    @Override
    public boolean isDone(final long ordinal)
    {
        return ordinal <= sender.completed();
    }

    @Override
    public long lastPut()
    {
        return sender.posted();
    }

    @Override
    public boolean putWithImmediate(
        final long address, final int lkey, final int length, final long remoteAddress, final int rkey,
        final int immediate, final long round, final boolean signaled)
    {
        sender.putWithImmediate(
            address, lkey, length, remoteAddress, rkey, immediate, signaled ? SendFlags.SIGNALED : 0);
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
        sender.putWithImmediate(0, 0, 0, controlAddress(), controlRkey(), immediate, 0);
    }

    @Override
    public void expose(
        final RegisteredBuffer output, final long offset, final long length, final RegisteredBuffer input,
        final int immediate, final long round)
    {
        sender.putWithImmediate(writeExposure(output, offset, length, input), exposureLkey,
            ControlBlock.EXPOSURE_LENGTH, exposureAddress(), controlRkey(), immediate, 0);
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
        exposure.putInt(16, output.rkey(deviceIndex));
        exposure.putInt(20, 0);
        exposure.putLong(24, input.address());
        exposure.putInt(32, input.rkey(deviceIndex));
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
    void put(final long address, final int lkey, final int length, final long remoteAddress, final int rkey)
    {
        sender.put(address, lkey, length, remoteAddress, rkey, SendFlags.SIGNALED);
        sender.flush();
    }

    /** The peer's control block, as {@link #readControl} read it last. */
    public ControlBlock controlCopy()
    {
        return new ControlBlock(shared.buffer(ControlBlock.EXPOSURE_SIZE, ControlBlock.EXPOSURES_OFFSET));
    }

    /** Reads the peer's control block; for diagnosis only. */
    public void readControl()
    {
        sender.get(shared.address() + ControlBlock.EXPOSURE_SIZE, shared.lkey(deviceIndex),
            ControlBlock.EXPOSURES_OFFSET, controlAddress(), controlRkey(), SendFlags.SIGNALED);
        sender.flush();
    }

    @Override
    public void flush()
    {
        sender.flush();
    }

    private void postReceiveBatch()
    {
        final int errno = qp.postReceive(receives.addressOffset());
        if (errno != 0)
        {
            throw new RdmaException(errno, "ibv_post_recv",
                receiveBatch + " receive requests for rank " + peer() + " were refused: QP " + qp.qpNum() +
                " is in state " + qp.state());
        }
    }
}
