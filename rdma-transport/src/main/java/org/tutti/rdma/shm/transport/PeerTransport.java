/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.soft.queue.RetryTimer;
import org.tutti.rdma.soft.queue.Transport;

/** A transport whose requests are executed by the posting thread, on the peer's mapped queue pair. */
public abstract class PeerTransport extends Transport
{
    final GuardedQueuePair queuePair;
    final Peers peers;

    PeerTransport(final GuardedQueuePair queuePair)
    {
        super(queuePair);
        this.queuePair = queuePair;
        peers = queuePair.peers();
    }

    /**
     * Creates the transport of a queue pair that is being created.
     *
     * @param type      type of the service.
     * @param queuePair queue pair.
     * @return the transport, owned by the queue pair.
     */
    public static PeerTransport of(final QueuePairType type, final GuardedQueuePair queuePair)
    {
        return switch (type)
        {
            case RC -> new ReliableTransport(queuePair);
            case UC -> new UnreliableTransport(queuePair);
            case UD -> new DatagramTransport(queuePair);
        };
    }

    /**
     * The permitted send opcodes.
     *
     * @return a mask with one bit per value of {@link org.tutti.rdma.SendOpcode}.
     */
    abstract int opcodes();

    /**
     * The state of the queue pair after a failed send.
     *
     * @return ERR, or SQE, in which receives continue.
     */
    abstract QueuePairState afterFailedSend();

    /**
     * The requester that executes requests.
     *
     * @return the requester, or null without a peer.
     */
    abstract Requester requester();

    /**
     * Decides whether to complete or retry a request that could not be executed.
     *
     * @param why       {@link Requester#NOT_READY} or {@link Requester#NO_ANSWER}.
     * @param requester requester that reported it, or null.
     * @param nowNs     current time by {@link System#nanoTime()}.
     * @param timer     timer of the send queue.
     * @return status to complete the request with, or a negative number to retry it.
     */
    abstract int giveUp(int why, Requester requester, long nowNs, RetryTimer timer);
}
