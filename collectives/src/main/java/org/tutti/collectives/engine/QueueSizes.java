/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.rdma.DeviceAttributes;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/**
 * How long the queues of a rank are: as long as the engine likes them, or shorter where the device does not allow that.
 *
 * @param send       slots of each connection's send queue.
 * @param receive    receive requests that each connection posts ahead.
 * @param completion entries of the completion queue that all connections share: it cannot overrun.
 */
record QueueSizes(int send, int receive, int completion)
{
    /** Enough for a window of segments in each direction. */
    static final int SEND_DEPTH = 128;
    /** Well above what a schedule may leave outstanding in two calls, so that no peer finds none. */
    static final int RECEIVE_DEPTH = 256;

    /** Below this a connection would wait for its own completions, or for the peer's receive requests, all the time. */
    private static final int MIN_DEPTH = 16;

    /**
     * The sizes for a number of ranks.
     *
     * @param ranks     of the job.
     * @param limits    of the device; 0 is what it does not tell.
     * @param transport for errors.
     * @throws RdmaException if the device is too small for so many ranks.
     */
    static QueueSizes of(final int ranks, final DeviceAttributes limits, final String transport)
    {
        final int peers = ranks - 1;
        if (limits.maxQueuePairs > 0 && peers > limits.maxQueuePairs)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_create_qp", ranks + " ranks need " + peers +
                " queue pairs each, " + transport + " allows " + limits.maxQueuePairs + ": start fewer ranks");
        }
        final int maxDepth = limits.maxWorkRequests > 0 ? limits.maxWorkRequests : Integer.MAX_VALUE;
        final long maxCompletions = limits.maxCqe > 0 ? limits.maxCqe : Integer.MAX_VALUE;
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
        final long completion = Math.max(1, (long)peers * (send + receive));
        if (completion > maxCompletions)
        {
            throw new RdmaException(Errno.EINVAL, "ibv_create_cq", ranks + " ranks need a completion queue of " +
                completion + ", " + transport + " allows " + maxCompletions + ": start fewer ranks");
        }
        return new QueueSizes(send, receive, (int)completion);
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
