/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.progress.CollectiveRequest.State;
import org.tutti.collectives.exec.Plan;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.wireup.ResultHashes;

/**
 * The requests that are started and not done, in order; the engine executes the first. Used with the session's lock
 * held; allocates nothing.
 */
final class ProgressQueue
{
    private final ScheduleExecutor engine;
    private final ResultHashes.OfCommunicator hashes;
    private CollectiveRequest first;
    private CollectiveRequest last;

    /**
     * Creates the queue of an engine.
     *
     * @param engine engine that executes the requests.
     * @param hashes writer of hashes of results, or null.
     */
    ProgressQueue(final ScheduleExecutor engine, final ResultHashes.OfCommunicator hashes)
    {
        this.engine = engine;
        this.hashes = hashes;
    }

    /** Returns the request started last, or null if there is none; may be stale if read without the lock. */
    CollectiveRequest last()
    {
        return first == null ? null : last;
    }

    boolean isEmpty()
    {
        return first == null;
    }

    void add(final CollectiveRequest request)
    {
        request.started();
        request.next = null;
        if (first == null)
        {
            first = request;
        }
        else
        {
            last.next = request;
        }
        last = request;
    }

    /**
     * Progresses the requests without blocking.
     *
     * @return amount of work done; 0 without progress.
     */
    int advance()
    {
        int work = 0;
        while (first != null)
        {
            final CollectiveRequest request = first;
            if (!request.isBegun())
            {
                engine.begin(request.call());
                request.begun();
            }
            work += engine.progress(0);
            if (!engine.isDone())
            {
                return work;
            }
            if (hashes != null)
            {
                final Plan plan = request.call().plan();
                hashes.add(plan.call(), plan.request(), plan.type(), request.call().outputMemory());
            }
            first = request.next;
            request.end(State.DONE, null);
        }
        return work;
    }

    /**
     * Removes a request if it has not begun.
     *
     * @return false if it has begun, or is not in the queue.
     */
    boolean remove(final CollectiveRequest request)
    {
        CollectiveRequest before = null;
        for (CollectiveRequest candidate = first; candidate != null; candidate = candidate.next)
        {
            if (candidate == request && !request.isBegun())
            {
                if (before == null)
                {
                    first = request.next;
                }
                else
                {
                    before.next = request.next;
                }
                last = last == request ? before : last;
                request.end(State.CANCELLED, null);
                return true;
            }
            before = candidate;
        }
        return false;
    }

    /** Fails all requests. */
    void fail(final RuntimeException why)
    {
        CollectiveRequest request = first;
        first = null;
        while (request != null)
        {
            final CollectiveRequest following = request.next;
            request.end(State.FAILED, why);
            request = following;
        }
    }
}
