/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import java.util.Arrays;

/**
 * The connections of a communicator on one rank, by peer, and the FIFOs that peers store messages into. Used by the
 * communicator's thread, except for {@link #giveUp}.
 */
public final class ConnectionTable
{
    private final Connection[] connections;
    /** Also read by threads of other communicators whose failure fails this one, too. */
    private volatile ReceiveFifo[] fifos = {};
    private volatile boolean hasGivenUp;
    private int count;

    /** Creates an empty table for a number of ranks. */
    public ConnectionTable(final int ranks)
    {
        connections = new Connection[ranks];
    }

    /** Returns connections by peer; null where no call has needed one so far. */
    public Connection[] byPeer()
    {
        return connections;
    }

    /** Returns the FIFOs that peers store messages into; a new array whenever one is added. */
    public ReceiveFifo[] fifos()
    {
        return fifos;
    }

    /** Adds a connection that is not connected yet. */
    public void add(final Connection connection)
    {
        connections[connection.peer()] = connection;
        count++;
        final ReceiveFifo fifo = connection.fifo();
        if (fifo == null)
        {
            return;
        }
        final ReceiveFifo[] more = Arrays.copyOf(fifos, fifos.length + 1);
        more[fifos.length] = fifo;
        fifos = more;
        if (hasGivenUp)
        {
            // A thread that gave up concurrently may not have seen this FIFO.
            fifo.giveUp();
        }
    }

    /** Returns whether there are connections to all peers. */
    public boolean isComplete()
    {
        return count == connections.length - 1;
    }

    /**
     * Returns whether all peers send through FIFOs, assuming that both directions of a connection use the same path.
     */
    public boolean isAllDirect()
    {
        if (fifos.length != count)
        {
            return false;
        }
        for (final ReceiveFifo fifo : fifos)
        {
            if (!connections[fifo.peer()].isDirect())
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Marks this rank's INPUT as no longer valid for peers that read it. Called before the application may write to
     * INPUT again, and before the memory is freed. Thread-safe.
     */
    public void giveUp()
    {
        hasGivenUp = true;
        for (final ReceiveFifo fifo : fifos)
        {
            fifo.giveUp();
        }
    }

    /** Stops storing into peers, whose memory is about to be unmapped, and drops this rank's FIFOs. */
    public void closeDirect()
    {
        for (final ReceiveFifo fifo : fifos)
        {
            connections[fifo.peer()].closeDirect();
        }
        fifos = new ReceiveFifo[0];
    }
}
