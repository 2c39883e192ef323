/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ConnectionTable;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.endpoint.QueuePairEndpoint;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.fault.ClosedPeers;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.WorkCompletion;

/**
 * Receives messages of peers: polls the FIFOs that peers store messages into, and the completion queue, which reports
 * everything else. Not thread-safe; allocates nothing after construction.
 */
public abstract class Worker
{
    private static final int COMPLETION_BATCH = 16;
    /** The number of FIFO polls per poll of the completion queue when all messages arrive through FIFOs. */
    private static final int POLLS_PER_QUEUE = 32;

    private final Team team;
    private final Diagnosis diagnosis;
    private final ConnectionTable table;
    private final Connection[] connections;
    private final ClosedPeers closedPeers;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(COMPLETION_BATCH * WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();
    private int queuePolls;
    private boolean isConnecting;
    private boolean isAsleep;
    private boolean isClosing;
    private boolean needsQueue = true;

    /**
     * Creates the worker of a communicator.
     *
     * @param closedPeers registry of peers that have closed.
     * @param diagnosis   diagnosis of the communicator.
     */
    protected Worker(final Team team, final ClosedPeers closedPeers, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
        this.closedPeers = closedPeers;
        table = team.connectionTable();
        connections = table.byPeer();
    }

    /**
     * Takes messages that have arrived; may skip the completion queue.
     *
     * @param sequence number of the oldest call in progress.
     * @param oldest   round of that call.
     * @param last     last round with a free slot; messages of later rounds stay in their FIFO.
     * @return number of messages and completions.
     */
    public final int poll(final long sequence, final long oldest, final long last)
    {
        int taken = 0;
        for (final ReceiveFifo fifo : table.fifos())
        {
            while (fifo.take(last))
            {
                deliver(fifo.peer(), fifo.immediate(), fifo.blockLength(), sequence, oldest, last);
                taken++;
            }
        }
        if (needsQueue || ++queuePolls % POLLS_PER_QUEUE == 0)
        {
            taken += pollQueue(sequence, oldest, last);
        }
        if (isAsleep && taken > 0)
        {
            awake();
        }
        return taken;
    }

    /** Takes all messages that have arrived. */
    public final void pollAll(final long sequence, final long oldest, final long last)
    {
        int taken;
        do
        {
            taken = poll(sequence, oldest, last) + pollQueue(sequence, oldest, last);
        }
        while (taken > 0);
    }

    /** Ignores failed requests from now on, as peers may have exited. */
    public final void closing()
    {
        isClosing = true;
    }

    /**
     * Returns a peer that has sent a message for a round that has no slot yet.
     *
     * @return rank, or -1.
     */
    final int untaken()
    {
        for (final ReceiveFifo fifo : table.fifos())
        {
            if (fifo.hasMore())
            {
                return fifo.peer();
            }
        }
        return -1;
    }

    /** Sets whether connections are being made; meanwhile the completion queue must be polled. */
    public final void connecting(final boolean isNow)
    {
        isConnecting = isNow;
        updateNeedsQueue();
    }

    private void updateNeedsQueue()
    {
        needsQueue = isAsleep || isConnecting || !table.isAllDirect();
    }

    private int pollQueue(final long sequence, final long oldest, final long last)
    {
        final int polled = team.completionQueue().poll(completions.addressOffset(), COMPLETION_BATCH);
        if (polled < 0)
        {
            throw new CollectiveException(-1, diagnosis.where(sequence) +
                " failed: the completion queue of " + team.transport() + " overran", null);
        }
        for (int i = 0; i < polled; i++)
        {
            completion.wrap(completions, i * WorkCompletion.SIZE);
            final long wrId = completion.wrId();
            if (!completion.isSuccess())
            {
                if (isClosing)
                {
                    continue;
                }
                closedPeers.requireNone(sequence);
                throw diagnosis.transport().connectionFailure(sequence, completion);
            }
            final QueuePairEndpoint endpoint = connections[QueuePairEndpoint.peer(wrId)].byQueuePair();
            if (QueuePairEndpoint.isSend(wrId))
            {
                endpoint.onSendCompletion(wrId);
            }
            else
            {
                endpoint.onReceive();
                deliver(endpoint.peer(), completion.immData(), 0, sequence, oldest, last);
            }
        }
        return polled;
    }

    /**
     * Processes a message, except those of {@link #deliverOther}.
     *
     * @param length   length of the block that the message carries or announces, in bytes, if any.
     * @param sequence number of the oldest call in progress.
     * @param oldest   round of that call.
     * @param last     last round with a free slot.
     */
    protected abstract void deliver(int peer, int immediate, long length, long sequence, long oldest, long last);

    /** Processes a message on {@link Immediate#CLOSE_CHANNEL}, which belongs to no call. */
    protected final void deliverOther(final int peer, final int immediate, final long sequence)
    {
        if (immediate == Immediate.HELLO)
        {
            connections[peer].join();
        }
        else if (immediate != Immediate.WAKE)
        {
            closed(peer, immediate, sequence);
        }
    }

    /** Records that a peer makes no more calls. */
    protected abstract void closed(int peer, int immediate, long sequence);

    /**
     * Asks the peers that store messages to wake this rank, until it takes a message. The caller then polls once
     * more, sleeps briefly, and calls this again before it sleeps longer: a writer that missed the first request has
     * made its message visible by then.
     */
    public final void fallAsleep()
    {
        isAsleep = true;
        updateNeedsQueue();
        for (final ReceiveFifo fifo : table.fifos())
        {
            fifo.asleep(true);
        }
        UnsafeApi.fullFence();
    }

    private void awake()
    {
        isAsleep = false;
        updateNeedsQueue();
        for (final ReceiveFifo fifo : table.fifos())
        {
            fifo.asleep(false);
        }
    }
}
