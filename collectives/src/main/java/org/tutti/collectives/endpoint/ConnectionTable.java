/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import java.util.Arrays;

/**
 * The connections of a communicator on one rank, by peer, and the FIFOs by which peers send. Used by the
 * communicator's thread, but for {@link #giveUp}.
 */
public final class ConnectionTable
{
    private final Connection[] connections;
    /** Also read by threads that make other communicators fail. */
    private volatile ReceiveFifo[] fifos = {};
    private volatile boolean hasGivenUp;
    private int count;

    /** An empty one for so many ranks. */
    public ConnectionTable(final int ranks)
    {
        connections = new Connection[ranks];
    }

    /** By peer: null where no call has needed a connection so far. */
    public Connection[] byPeer()
    {
        return connections;
    }

    /** The FIFOs that peers may leave messages in; another array when there are more. */
    public ReceiveFifo[] fifos()
    {
        return fifos;
    }

    /** Adds a connection that is yet to be connected. */
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
            // A thread that gave up meanwhile has perhaps not seen this FIFO.
            fifo.giveUp();
        }
    }

    /** Whether there are connections to all peers. */
    public boolean isComplete()
    {
        return count == connections.length - 1;
    }

    /** Whether peers that can send at all send by FIFOs, as far as both directions have been found alike. */
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
     * Says to peers that may read this rank's INPUT that it has given up: before its callers may write there again, and
     * before the memory is given back. From any thread.
     */
    public void giveUp()
    {
        hasGivenUp = true;
        for (final ReceiveFifo fifo : fifos)
        {
            fifo.giveUp();
        }
    }

    /** Stores nothing into peers any more, and forgets the FIFOs: their memory is about to be unmapped. */
    public void closeDirect()
    {
        for (final ReceiveFifo fifo : fifos)
        {
            connections[fifo.peer()].closeDirect();
        }
        fifos = new ReceiveFifo[0];
    }
}
