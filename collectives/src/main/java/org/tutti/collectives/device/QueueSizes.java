/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/**
 * How long the queues of a rank are: as long as the engine likes them, or shorter where the device does not allow that
 * for connections to all other ranks.
 *
 * @param send        slots of each connection's send queue.
 * @param receive     receive requests that each connection posts ahead.
 * @param connections maximum number of connections: to all other ranks, or what the device allows.
 */
public record QueueSizes(int send, int receive, int connections)
{
    /** Enough for a window of segments in each direction. */
    public static final int SEND_DEPTH = 128;
    /** Well above what a schedule may leave outstanding in two calls, so that no peer finds none. */
    public static final int RECEIVE_DEPTH = 256;
    /** For how many connections a completion queue has room at first: as many as most algorithms need. */
    public static final int FIRST_CONNECTIONS = 16;

    /** Below this a connection would wait for its own completions, or for the peer's receive requests, all the time. */
    private static final int MIN_DEPTH = 16;

    /**
     * The sizes for a number of ranks.
     *
     * @param ranks     ranks of the communicator.
     * @param limits    limits of the device; 0 is what it does not tell.
     * @param transport transport named in errors.
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
     * How long the completion queue that connections share must be: it cannot overrun.
     *
     * @param count number of connections, from 0 to {@link #connections}.
     */
    int completions(final int count)
    {
        return Math.max(1, count * (send + receive));
    }

    /** Halved until it fits: what depends on a depth divides it by powers of two. */
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
