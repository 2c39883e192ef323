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
 * The requests that were started and are not done, in this order, of which the engine has the first one. Used with the
 * session's lock only; allocates nothing.
 */
final class ProgressQueue
{
    private final ScheduleExecutor engine;
    private final ResultHashes.OfCommunicator hashes;
    private CollectiveRequest first;
    private CollectiveRequest last;

    /**
     * Of an engine.
     *
     * @param hashes writer of hashes of results, or null.
     */
    ProgressQueue(final ScheduleExecutor engine, final ResultHashes.OfCommunicator hashes)
    {
        this.engine = engine;
        this.hashes = hashes;
    }

    /** The one that was started last, or null if there is none. Read without the lock, it may be late. */
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
     * Goes on as far as possible without waiting.
     *
     * @return how much was done; 0 when nothing moved.
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
     * Takes a request out, if it was not begun.
     *
     * @return false if it was, or is not in the queue.
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

    /** Ends all of them with a failure. */
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
