/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.ControlBlock;
import org.tutti.collectives.endpoint.QueuePairEndpoint;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.WorkCompletion;

import java.util.concurrent.TimeUnit;

/** Reads the control blocks of connected peers, by RDMA. Not thread-safe. */
final class PeerControlBlocks
{
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final Team team;
    private final UnsafeBuffer completions =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(WorkCompletion.SIZE, 64));
    private final WorkCompletion completion = new WorkCompletion();

    PeerControlBlocks(final Team team)
    {
        this.team = team;
    }

    /** Whether a peer is connected, so that messages can be sent. */
    boolean isJoined(final int peer)
    {
        return peer >= 0 && team.connections()[peer] != null && team.connections()[peer].isJoined();
    }

    /**
     * Reads the control blocks of several peers concurrently.
     *
     * @return control blocks by rank; null where a block was not read in time or not requested.
     */
    ControlBlock[] read(final int from, final int to)
    {
        final ControlBlock[] blocks = new ControlBlock[team.size()];
        final long[] ordinals = new long[team.size()];
        int awaited = 0;
        for (int peer = from; peer < to; peer++)
        {
            if (peer != team.rank() && ask(peer))
            {
                ordinals[peer] = team.connections()[peer].byQueuePair().posted();
                awaited++;
            }
        }
        final long deadlineNs = System.nanoTime() + LateRanks.READ_TIMEOUT_NS;
        while (awaited > 0 && System.nanoTime() - deadlineNs < 0)
        {
            if (team.completionQueue().poll(completions.addressOffset(), 1) != 1)
            {
                Backoff.sleep(PAUSE_NS);
                continue;
            }
            final long wrId = completion.wrap(completions, 0).wrId();
            if (!QueuePairEndpoint.isSend(wrId))
            {
                continue;
            }
            final int peer = QueuePairEndpoint.peerOf(wrId);
            final QueuePairEndpoint endpoint = team.connections()[peer].byQueuePair();
            endpoint.onSendCompletion(wrId);
            if (ordinals[peer] != 0 && (!completion.isSuccess() || endpoint.isDone(ordinals[peer])))
            {
                blocks[peer] = completion.isSuccess() ? endpoint.controlCopy() : null;
                ordinals[peer] = 0;
                awaited--;
            }
        }
        return blocks;
    }

    /**
     * Starts to read a peer's control block. The read has completed when the last request posted on the connection has.
     *
     * @return false if the control block cannot be read now.
     */
    boolean ask(final int peer)
    {
        final Connection connection = team.connections()[peer];
        try
        {
            if (isJoined(peer) && connection.byQueuePair().canPost())
            {
                connection.byQueuePair().readControl();
                return true;
            }
        }
        catch (final RdmaException queuePairInError)
        {
            // Reported as a peer that does not answer.
        }
        return false;
    }
}
