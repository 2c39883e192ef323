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
 * Sends with a {@link QueuePairSender}, and posts receive requests for the peer's messages. Every message is an RDMA
 * write with immediate, so receive requests have no buffers.
 * <p>
 * Not thread-safe; posting allocates nothing.
 */
public final class QueuePairEndpoint extends Endpoint
{
    /** Receive requests are posted in batches of a quarter of the queue. */
    private static final int BATCHES = 4;

    private final QueuePair qp;
    private final QueuePairSender sender;
    private final int deviceIndex;
    private final int receiveBatch;
    private final UnsafeBuffer receives;
    private final RegisteredBuffer shared;
    private final UnsafeBuffer exposures;
    private final int sharedLkey;

    private int consumedReceives;

    /**
     * Creates an endpoint that is not connected yet.
     *
     * @param peer        rank of the peer.
     * @param qp          queue pair to the peer, owned by the caller.
     * @param deviceIndex index of the device that provides the keys.
     * @param sizes       sizes of the queues.
     * @param maxInline   maximum length of an inline message, in bytes.
     * @param shared      registered memory of {@link #sharedLength} bytes, for this endpoint alone.
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
        exposures = shared.buffer();
        sharedLkey = shared.lkey(deviceIndex);
        receiveBatch = sizes.receive() / BATCHES;
        receives = new UnsafeBuffer(BufferUtil.allocateDirectAligned(receiveBatch * ReceiveWorkRequest.SIZE, 64));
        final ReceiveWorkRequest receive = new ReceiveWorkRequest();
        for (int i = 0; i < receiveBatch; i++)
        {
            receive.wrap(receives, i * ReceiveWorkRequest.SIZE).clear().wrId(peer)
                .next(i + 1 < receiveBatch ? receives.addressOffset() + (i + 1L) * ReceiveWorkRequest.SIZE : 0);
        }
    }

    /** Returns the length of an endpoint's memory: a copy of the peer's control block, and an exposure per slot. */
    public static int sharedLength(final int slots)
    {
        return ControlBlock.length(1, slots);
    }

    /** Returns the peer of a send or receive request. */
    public static int peer(final long wrId)
    {
        return isSend(wrId) ? peerOf(wrId) : (int)wrId;
    }

    /** Returns the peer of a send request. */
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

    /** Returns the sender that posts this endpoint's requests. */
    QueuePairSender sender()
    {
        return sender;
    }

    /** Posts all receive requests. Called once, before the peer can send. */
    public void postReceives()
    {
        for (int i = 0; i < BATCHES; i++)
        {
            postReceiveBatch();
        }
    }

    /** Counts a consumed receive request, and posts a new batch when a batch is consumed. */
    public void onReceive()
    {
        if (++consumedReceives == receiveBatch)
        {
            consumedReceives = 0;
            postReceiveBatch();
        }
    }

    /** Processes a send completion of this endpoint. */
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

    /** Returns whether one more work request can be posted now. */
    public boolean canPost()
    {
        return sender.canPost(1);
    }

    /**
     * Returns the ordinal of the last request posted, for {@link #isDone}. An unsignaled request counts as done only
     * once a later, signaled one has completed.
     */
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
        throw notReachable();
    }

    @Override
    public void sendLength(final long length, final int immediate, final long round)
    {
        throw notReachable();
    }

    private IllegalStateException notReachable()
    {
        return new IllegalStateException("memory of rank " + peer() + " is not mapped here");
    }

    @Override
    public void signal(final int immediate, final long round)
    {
        signal(immediate);
    }

    /** Sends a message that belongs to no round. */
    public void signal(final int immediate)
    {
        sender.putWithImmediate(0, 0, 0, controlAddress(), controlRkey(), immediate, 0);
    }

    @Override
    public void expose(
        final int slot, final RegisteredBuffer output, final long offset, final long length,
        final RegisteredBuffer input, final int immediate, final long round)
    {
        sender.putWithImmediate(writeExposure(slot, output, offset, length, input), sharedLkey,
            ControlBlock.EXPOSURE_LENGTH, exposureAddress(slot), controlRkey(), immediate, 0);
    }

    /**
     * Writes the addresses of buffers to the memory of this endpoint, from which the caller sends them. The slot is
     * free even if its previous exposure was not sent inline: the peer answered that exposure in a call that is
     * complete.
     *
     * @return address of the exposure.
     */
    long writeExposure(
        final int slot, final RegisteredBuffer output, final long offset, final long length,
        final RegisteredBuffer input)
    {
        final int start = ControlBlock.EXPOSURES_OFFSET + slot * ControlBlock.EXPOSURE_SIZE;
        exposures.putLong(start, output.address() + offset);
        exposures.putLong(start + 8, length);
        exposures.putInt(start + 16, output.rkey(deviceIndex));
        exposures.putInt(start + 20, 0);
        exposures.putLong(start + 24, input.address());
        exposures.putInt(start + 32, input.rkey(deviceIndex));
        exposures.putInt(start + 36, 0);
        return exposures.addressOffset() + start;
    }

    @Override
    public long reach(final long address, final long length, final int rkey)
    {
        return 0;
    }

    @Override
    public boolean isInputValid()
    {
        throw notReachable();
    }

    /** Writes local memory to the peer, without a message; {@link #isDone} reports the completion. */
    void put(final long address, final int lkey, final int length, final long remoteAddress, final int rkey)
    {
        sender.put(address, lkey, length, remoteAddress, rkey, SendFlags.SIGNALED);
        sender.flush();
    }

    /** Returns the peer's control block, as {@link #readControl} read it last. */
    public ControlBlock controlCopy()
    {
        return new ControlBlock(shared.buffer(0, ControlBlock.EXPOSURES_OFFSET));
    }

    /** Reads the peer's control block; for diagnosis only. */
    public void readControl()
    {
        sender.get(shared.address(), sharedLkey, ControlBlock.EXPOSURES_OFFSET, controlAddress(), controlRkey(),
            SendFlags.SIGNALED);
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
