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
 * Receives what peers send: polls the FIFOs that they store messages into, and the completion queue, which tells of
 * everything else, and counts what has arrived. Not thread-safe; allocates nothing after construction.
 */
public final class Worker
{
    private static final int COMPLETION_BATCH = 16;
    /** How often the completion queue is polled when messages come by FIFOs: what comes there can wait. */
    private static final int POLLS_PER_QUEUE = 32;

    private final Team team;
    private final Diagnosis diagnosis;
    private final ConnectionTable table;
    private final Connection[] connections;
    private final ArrivalCounters arrivals;
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
     * For one communicator.
     *
     * @param arrivals    counts messages of schedules.
     * @param closedPeers learns of peers that have closed.
     * @param diagnosis   diagnosis of the communicator.
     */
    Worker(
        final Team team, final ArrivalCounters arrivals, final ClosedPeers closedPeers, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
        this.arrivals = arrivals;
        this.closedPeers = closedPeers;
        table = team.connectionTable();
        connections = table.byPeer();
    }

    /**
     * Takes what has come; what comes by the completion queue, perhaps not at once.
     *
     * @param sequence sequence of the current call.
     * @param round    round of the current call: messages of a later one stay in their FIFO.
     * @return how many messages and completions it was.
     */
    int poll(final long sequence, final long round)
    {
        int taken = 0;
        for (final ReceiveFifo fifo : table.fifos())
        {
            while (fifo.take(round))
            {
                deliver(fifo.peer(), fifo.immediate(), fifo.blockLength(), sequence, round);
                taken++;
            }
        }
        if (needsQueue || ++queuePolls % POLLS_PER_QUEUE == 0)
        {
            taken += pollQueue(sequence, round);
        }
        if (isAsleep && taken > 0)
        {
            awake();
        }
        return taken;
    }

    /** Takes all that has come. */
    void pollAll(final long sequence, final long round)
    {
        int last;
        do
        {
            last = poll(sequence, round) + pollQueue(sequence, round);
        }
        while (last > 0);
    }

    /** From now on requests may fail, because peers are gone. */
    void closing()
    {
        isClosing = true;
    }

    /**
     * The rank of a peer that has sent something for a round that this rank has not come to.
     *
     * @return a rank, or -1.
     */
    int untaken()
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

    /** Connections are made: the completion queue has to be polled until they stand. */
    void connecting(final boolean isNow)
    {
        isConnecting = isNow;
        decide();
    }

    private void decide()
    {
        needsQueue = isAsleep || isConnecting || !table.isAllDirect();
    }

    private int pollQueue(final long sequence, final long round)
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
                deliver(endpoint.peer(), completion.immData(), 0, sequence, round);
            }
        }
        return polled;
    }

    /**
     * Counts a message.
     *
     * @param length length of the block that it carries or announces, in bytes, if it does.
     */
    private void deliver(
        final int peer, final int immediate, final long length, final long sequence, final long round)
    {
        final int channel = Immediate.channel(immediate);
        if (channel < Immediate.CLOSE_CHANNEL)
        {
            final int ahead = (Immediate.round(immediate) - (int)round) & Immediate.ROUND_MASK;
            if (ahead > 1)
            {
                closedPeers.requireNone(sequence);
                throw diagnosis.mismatch(sequence, peer);
            }
            arrivals.add(round + ahead, peer, channel, Immediate.fingerprint(immediate), length);
        }
        else
        {
            deliverOther(peer, immediate, sequence);
        }
    }

    /** A message that is of no schedule. */
    private void deliverOther(final int peer, final int immediate, final long sequence)
    {
        if (Immediate.channel(immediate) == Immediate.READY_CHANNEL)
        {
            if (!arrivals.addReady(peer, immediate))
            {
                closedPeers.requireNone(sequence);
                throw diagnosis.mismatch(sequence, peer);
            }
        }
        else if (immediate == Immediate.HELLO)
        {
            connections[peer].join();
        }
        else if (immediate != Immediate.WAKE)
        {
            closedPeers.add(peer, Immediate.calls(immediate, sequence));
        }
    }

    /**
     * Asks the peers that write messages to wake this rank, until it has taken one. The caller then polls once more,
     * sleeps for a moment only, and asks again before it sleeps for longer: a writer that did not see the first time
     * that it was asked has made its message visible by then.
     */
    public void fallAsleep()
    {
        isAsleep = true;
        decide();
        for (final ReceiveFifo fifo : table.fifos())
        {
            fifo.asleep(true);
        }
        UnsafeApi.fullFence();
    }

    private void awake()
    {
        isAsleep = false;
        decide();
        for (final ReceiveFifo fifo : table.fifos())
        {
            fifo.asleep(false);
        }
    }
}
