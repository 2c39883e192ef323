/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.shm.segment.CompletionRing;
import org.tutti.rdma.shm.segment.ControlLayout;

import java.util.Arrays;

/** The send queues of a context that have requests to try again. Thread-safe; looking at them allocates nothing. */
public final class Backlogs
{
    private final long doorbell;
    private volatile SendQueue[] queues = new SendQueue[0];

    /**
     * Has none in it.
     *
     * @param control segment of the context.
     */
    public Backlogs(final long control)
    {
        doorbell = control + ControlLayout.DOORBELL_OFFSET;
    }

    /**
     * Notes whether a send queue has requests to try again; its lock is held.
     *
     * @param queue queue that may contain them.
     */
    void changed(final SendQueue queue)
    {
        if (queue.isIdle() == contains(queue))
        {
            change(queue);
        }
    }

    private boolean contains(final SendQueue queue)
    {
        for (final SendQueue other : queues)
        {
            if (other == queue)
            {
                return true;
            }
        }
        return false;
    }

    private synchronized void change(final SendQueue queue)
    {
        final SendQueue[] before = queues;
        if (queue.isIdle())
        {
            queues = Arrays.stream(before).filter(other -> other != queue).toArray(SendQueue[]::new);
            return;
        }
        final SendQueue[] next = Arrays.copyOf(before, before.length + 1);
        next[before.length] = queue;
        queues = next;
        CompletionRing.wake(doorbell);
    }

    /**
     * Tries what could not be executed before.
     *
     * @return in nanoseconds, when to call again; {@link Long#MAX_VALUE} when nothing is left.
     */
    public long progress()
    {
        long pauseNs = Long.MAX_VALUE;
        for (final SendQueue queue : queues)
        {
            pauseNs = Math.min(pauseNs, queue.progress());
        }
        return pauseNs;
    }
}
