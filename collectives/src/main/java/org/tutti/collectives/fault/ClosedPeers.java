/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.fault;

import org.tutti.collectives.endpoint.Connection;
import org.tutti.collectives.endpoint.Immediate;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.RdmaException;

/**
 * The ranks that have closed their communicator, and how many calls each made before; a rank that makes more calls
 * would wait for them forever. Not thread-safe; allocates nothing on the normal path.
 */
public final class ClosedPeers
{
    private final Team team;
    private final Diagnosis diagnosis;
    private int first = -1;
    private long callsOfFirst = Long.MAX_VALUE;

    public ClosedPeers(final Team team, final Diagnosis diagnosis)
    {
        this.team = team;
        this.diagnosis = diagnosis;
    }

    /** Records that a peer has closed after a number of calls. */
    public void add(final int peer, final long calls)
    {
        if (calls < callsOfFirst)
        {
            callsOfFirst = calls;
            first = peer;
        }
    }

    /**
     * Throws if a peer closed without making this call. If a peer makes more calls than this rank had made when it
     * closed, the peer reports that.
     */
    public void requireNone(final long sequence)
    {
        if (callsOfFirst <= sequence)
        {
            throw diagnosis.closedEarly(sequence, first, callsOfFirst);
        }
    }

    /**
     * Sends this rank's close to all peers that can be reached without blocking; the others read it from the control
     * block.
     */
    public void announce(final long calls, final long round)
    {
        final int immediate = Immediate.ofClose(calls);
        for (final Connection connection : team.connections())
        {
            try
            {
                if (connection != null && connection.isJoined() && connection.endpoint().canSend())
                {
                    connection.endpoint().signal(immediate, round);
                    connection.endpoint().flush();
                }
            }
            catch (final RdmaException peerIsGone)
            {
                // A failed peer does not wait for this rank.
            }
        }
    }
}
