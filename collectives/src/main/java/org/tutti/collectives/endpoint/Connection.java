/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.tutti.rdma.QueuePair;

/**
 * This rank's end of the connection with one peer: the endpoint by which messages go, and the FIFO by which they come
 * where the peer stores them. Not thread-safe.
 */
public final class Connection
{
    private final QueuePairEndpoint byQueuePair;
    private final ReceiveFifo fifo;
    private Endpoint endpoint;
    private int peerQpNum;
    private boolean isConnected;
    private boolean isJoined;

    /**
     * One that is yet to be connected.
     *
     * @param byQueuePair endpoint to the peer over a queue pair.
     * @param fifo        receive FIFO for messages from the peer, or null if it cannot store into this rank's memory.
     */
    public Connection(final QueuePairEndpoint byQueuePair, final ReceiveFifo fifo)
    {
        this.byQueuePair = byQueuePair;
        this.fifo = fifo;
        endpoint = byQueuePair;
    }

    public int peer()
    {
        return byQueuePair.peer();
    }

    /** By which messages go. */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    /** By which everything goes that is no message, whatever the endpoint. */
    public QueuePairEndpoint byQueuePair()
    {
        return byQueuePair;
    }

    public QueuePair queuePair()
    {
        return byQueuePair.queuePair();
    }

    /** Where the peer may leave messages, or null. */
    public ReceiveFifo fifo()
    {
        return fifo;
    }

    public int peerQpNum()
    {
        return peerQpNum;
    }

    /**
     * The queue pair is connected: from now on messages are stored into the peer's FIFO if it is within reach, else
     * they go by the queue pair.
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

    /** Sends by another endpoint of the peer from now on. */
    void use(final Endpoint other)
    {
        endpoint = other;
    }

    /** Whether this end stands, and its peer is known. */
    public boolean isConnected()
    {
        return isConnected;
    }

    /** Both ends stand: messages may be sent. */
    public void join()
    {
        isJoined = true;
    }

    /** Whether messages may be sent. */
    public boolean isJoined()
    {
        return isJoined;
    }

    /** Whether messages are stored into the peer's FIFO. */
    public boolean isDirect()
    {
        return endpoint.isDirect();
    }

    /** Stores nothing into the peer any more: its memory is about to be unmapped here. */
    void closeDirect()
    {
        use(byQueuePair);
    }
}
