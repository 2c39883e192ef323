/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;

import java.util.Arrays;

/** The send queues of a context that have requests to retry. Thread-safe; iteration allocates nothing. */
public final class RetryQueues
{
    private final long doorbell;
    private volatile PeerSendQueue[] queues = new PeerSendQueue[0];

    /**
     * Creates an empty set.
     *
     * @param control segment of the context.
     */
    public RetryQueues(final long control)
    {
        doorbell = control + ControlLayout.DOORBELL_OFFSET;
    }

    /**
     * Records whether a send queue has requests to retry; the caller holds its lock.
     *
     * @param queue send queue.
     */
    void changed(final PeerSendQueue queue)
    {
        if (queue.isIdle() == contains(queue))
        {
            change(queue);
        }
    }

    private boolean contains(final PeerSendQueue queue)
    {
        for (final PeerSendQueue other : queues)
        {
            if (other == queue)
            {
                return true;
            }
        }
        return false;
    }

    private synchronized void change(final PeerSendQueue queue)
    {
        final PeerSendQueue[] before = queues;
        if (queue.isIdle())
        {
            queues = Arrays.stream(before).filter(other -> other != queue).toArray(PeerSendQueue[]::new);
            return;
        }
        final PeerSendQueue[] next = Arrays.copyOf(before, before.length + 1);
        next[before.length] = queue;
        queues = next;
        CompletionRing.wake(doorbell);
    }

    /**
     * Retries deferred requests.
     *
     * @return delay until the next call, in nanoseconds; {@link Long#MAX_VALUE} if nothing is left.
     */
    public long progress()
    {
        long pauseNs = Long.MAX_VALUE;
        for (final PeerSendQueue queue : queues)
        {
            pauseNs = Math.min(pauseNs, queue.progress());
        }
        return pauseNs;
    }
}
