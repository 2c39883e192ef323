/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.rdma.QueuePair;
import org.tutti.rdma.memory.RegisteredBuffer;

/**
 * This rank's side of the connection to one peer: the endpoint that sends messages, and the FIFO into which the peer
 * stores its messages. Not thread-safe.
 */
public final class Connection
{
    private final QueuePairEndpoint byQueuePair;
    private final ReceiveFifo fifo;
    private final RegisteredBuffer inbox;
    private Endpoint endpoint;
    private int peerQpNum;
    private boolean isConnected;
    private boolean isJoined;

    /**
     * Creates a connection that is not connected yet.
     *
     * @param byQueuePair endpoint to the peer over a queue pair.
     * @param fifo        receive FIFO for messages from the peer, or null if the peer cannot store into this rank's
     *                    memory.
     * @param inbox       memory for point-to-point messages from the peer, or null in a connection for collectives.
     */
    public Connection(final QueuePairEndpoint byQueuePair, final ReceiveFifo fifo, final RegisteredBuffer inbox)
    {
        this.byQueuePair = byQueuePair;
        this.fifo = fifo;
        this.inbox = inbox;
        endpoint = byQueuePair;
    }

    public int peer()
    {
        return byQueuePair.peer();
    }

    /** Returns the endpoint that sends messages. */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /** Returns the endpoint over the queue pair, for everything other than messages. */
    public QueuePairEndpoint byQueuePair()
    {
        return byQueuePair;
    }

    public QueuePair queuePair()
    {
        return byQueuePair.queuePair();
    }

    /** Returns the FIFO that the peer stores messages into, or null. */
    public ReceiveFifo fifo()
    {
        return fifo;
    }

    /** Returns the memory into which the peer writes point-to-point messages, or null. */
    public RegisteredBuffer inbox()
    {
        return inbox;
    }

    public int peerQpNum()
    {
        return peerQpNum;
    }

    /**
     * Marks the queue pair as connected. From now on messages are stored into the peer's FIFO if it is mapped in this
     * process, else they are sent over the queue pair.
     *
     * @param qpNum       queue pair number of the peer's queue pair.
     * @param fifoAddress address of the peer's FIFO for this rank, or 0.
     * @param fifoRkey    remote key of that FIFO.
     */
    public void connected(final int qpNum, final long fifoAddress, final int fifoRkey)
    {
        peerQpNum = qpNum;
        isConnected = true;
        final Endpoint direct = fifo == null ? null : SharedMemoryEndpoint.to(byQueuePair, fifoAddress, fifoRkey);
        use(direct == null ? byQueuePair : direct);
    }

    /** Sends messages to the peer with another endpoint from now on. */
    void use(final Endpoint other)
    {
        endpoint = other;
    }

    /** Returns whether this side is connected. */
    public boolean isConnected()
    {
        return isConnected;
    }

    /** Marks both sides as connected: messages may be sent. */
    public void join()
    {
        isJoined = true;
    }

    /** Returns whether messages may be sent. */
    public boolean isJoined()
    {
        return isJoined;
    }

    /** Returns whether messages are stored into the peer's FIFO. */
    public boolean isDirect()
    {
        return endpoint.isDirect();
    }

    /** Stops storing into the peer's memory, which is about to be unmapped from this process. */
    void closeDirect()
    {
        use(byQueuePair);
    }
}
