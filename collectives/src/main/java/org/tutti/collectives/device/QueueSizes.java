/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/**
 * The queue lengths of a rank: those the engine prefers, or shorter ones if the device's limits do not allow them for
 * connections to all other ranks.
 *
 * @param send        length of the send queue of each connection.
 * @param receive     number of receive requests that each connection posts ahead.
 * @param connections maximum number of connections: to all other ranks, or what the device allows.
 */
public record QueueSizes(int send, int receive, int connections)
{
    /** Preferred length of a send queue: sufficient for a window of segments in each direction. */
    public static final int SEND_DEPTH = 128;
    /**
     * Preferred number of receive requests: well above the number of messages that a schedule may leave outstanding in
     * two calls, so that a peer never lacks a receive request.
     */
    public static final int RECEIVE_DEPTH = 256;
    /** Number of connections for which a completion queue is sized initially: what most algorithms need. */
    public static final int FIRST_CONNECTIONS = 16;

    /**
     * Minimum length of a queue: with shorter queues a connection would permanently wait for its own completions or the
     * peer's receive requests.
     */
    private static final int MIN_DEPTH = 16;

    /**
     * Computes the sizes for a number of ranks.
     *
     * @param ranks     number of ranks of the communicator.
     * @param limits    limits of the device; 0 for unknown.
     * @param transport name of the transport, for error messages.
     * @throws RdmaException if the device's queues are too short.
     */
    public static QueueSizes of(final int ranks, final DeviceAttributes limits, final String transport)
    {
        final int peers = ranks - 1;
        final int maxDepth = limits.maxWorkRequests > 0 ? limits.maxWorkRequests : Integer.MAX_VALUE;
        final int maxCompletions = limits.maxCqe > 0 ? limits.maxCqe : Integer.MAX_VALUE;
        int send = fit(SEND_DEPTH, maxDepth);
        int receive = fit(RECEIVE_DEPTH, maxDepth);
        while ((long)peers * (send + receive) > maxCompletions && receive > MIN_DEPTH)
        {
            receive /= 2;
            send = Math.min(send, receive);
        }
        if (Math.min(send, receive) < MIN_DEPTH)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_qp", "queues of at least " + MIN_DEPTH +
                " requests are needed, " + transport + " allows " + maxDepth + ": choose another device");
        }
        final int maxQueuePairs = limits.maxQueuePairs > 0 ? limits.maxQueuePairs : Integer.MAX_VALUE;
        return new QueueSizes(
            send, receive, Math.min(peers, Math.min(maxQueuePairs, maxCompletions / (send + receive))));
    }

    /**
     * Returns the length at which the completion queue that all connections share cannot overrun.
     *
     * @param count number of connections, from 0 to {@link #connections}.
     */
    int completions(final int count)
    {
        return Math.max(1, count * (send + receive));
    }

    /**
     * Halves a depth until it is at most the maximum: it stays a power of two, so that batches can be exact fractions
     * of it.
     */
    private static int fit(final int depth, final int max)
    {
        int fitting = depth;
        while (fitting > max)
        {
            fitting /= 2;
        }
        return fitting;
    }
}
