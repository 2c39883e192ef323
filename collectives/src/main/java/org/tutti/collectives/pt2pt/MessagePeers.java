/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.PointToPoint;

/** The peers of a rank to which a call has opened a connection, and those that have closed. Not thread-safe. */
final class MessagePeers
{
    private final MessagePeer[] peers;
    private final OperationTable operations;
    private final MessageDiagnosis diagnosis;
    private int closed;

    MessagePeers(final int ranks, final OperationTable operations, final MessageDiagnosis diagnosis)
    {
        peers = new MessagePeer[ranks];
        this.operations = operations;
        this.diagnosis = diagnosis;
    }

    /** Returns a peer, or null if no call has opened a connection to it. */
    MessagePeer get(final int rank)
    {
        return peers[rank];
    }

    void add(final MessagePeer peer)
    {
        peers[peer.rank()] = peer;
    }

    /** Whether a peer has said that it makes no more calls. */
    boolean hasClosed(final int rank)
    {
        return peers[rank] != null && peers[rank].hasClosed;
    }

    /** Records that a peer makes no more calls, and throws if an operation waits for it. */
    void onClose(final int rank)
    {
        if (!peers[rank].hasClosed)
        {
            peers[rank].hasClosed = true;
            closed++;
            for (int id = 0; id < operations.ids(); id++)
            {
                final MessageOperation operation = operations.get(id);
                // The thread of a probe looks first for a message that has arrived before.
                if (operation != null && !operation.isProbe())
                {
                    requireOpen(operation);
                }
            }
            operations.wakeProbes();
        }
    }

    /** Throws if an operation that is not done waits for a call of a peer that makes no more calls. */
    void requireOpen(final MessageOperation operation)
    {
        final int rank = operation.peer();
        if (closed > 0 && !operation.isWritten() && (rank == PointToPoint.ANY_SOURCE ? closed == peers.length - 1 :
            hasClosed(rank)))
        {
            throw diagnosis.closed(operation, rank);
        }
    }
}
