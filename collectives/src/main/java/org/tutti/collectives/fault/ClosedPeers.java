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
 * Which ranks make no more calls, and how many they have made: a rank that makes more would wait for them in vain. Not
 * thread-safe; allocates nothing while all is well.
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

    /** A rank has closed. */
    public void add(final int peer, final long calls)
    {
        if (calls < callsOfFirst)
        {
            callsOfFirst = calls;
            first = peer;
        }
    }

    /** A peer that closed must have made this call too; if it has made more, it finds out itself. */
    public void requireNone(final long sequence)
    {
        if (callsOfFirst <= sequence)
        {
            throw diagnosis.closedEarly(sequence, first, callsOfFirst);
        }
    }

    /** Tells all peers that can be told at once; the others see it in the control block. */
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
                // Then it does not wait for this rank.
            }
        }
    }
}
