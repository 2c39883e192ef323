/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.progress.ProgressRequest.State;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.Plan;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.ResultHashes;

/**
 * The requests that are started and not done, in the order in which they were started: the engine executes those at the
 * front, and the others wait to begin. Used with the session's lock held; allocates nothing.
 */
final class ProgressQueue
{
    private final ScheduleExecutor engine;
    private final int rank;
    private final ResultHashes.OfCommunicator hashes;
    private CollectiveRequest first;
    /** The first request that has not begun, or null. */
    private CollectiveRequest waiting;
    private CollectiveRequest last;

    /**
     * Creates the queue of an engine.
     *
     * @param engine engine that executes the requests.
     * @param rank   rank of this process.
     * @param hashes writer of hashes of results, or null.
     */
    ProgressQueue(final ScheduleExecutor engine, final int rank, final ResultHashes.OfCommunicator hashes)
    {
        this.engine = engine;
        this.rank = rank;
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
        waiting = waiting == null ? request : waiting;
    }

    /**
     * Throws if a call uses a buffer of a request that is not done, unless both only read it.
     *
     * @param call checked call.
     */
    void requireApart(final CollectiveCall call)
    {
        for (CollectiveRequest request = first; request != null; request = request.next)
        {
            final String conflict = conflict(call, request.call());
            if (conflict != null)
            {
                throw new IllegalArgumentException(conflict + " of " + request.call().plan().call() +
                    ", whose request is not done: await it first, or use separate buffers");
            }
        }
    }

    /**
     * Returns which buffers of two calls overlap, if one of the calls writes them.
     *
     * @return beginning of a message, such as "output overlaps the input"; null if the calls may be in progress at
     *         once.
     */
    private String conflict(final CollectiveCall call, final CollectiveCall other)
    {
        final boolean writes = call.writes(rank);
        final boolean othersWrite = other.writes(rank);
        return writes && othersWrite && overlap(call.output(), other.output()) ? "output overlaps the output" :
            writes && other.reads(rank) && overlap(call.output(), other.input()) ? "output overlaps the input" :
            call.reads(rank) && othersWrite && overlap(call.input(), other.output()) ? "input overlaps the output" :
            null;
    }

    private static boolean overlap(final PooledDataBuffer one, final PooledDataBuffer other)
    {
        if (one == null || other == null || one.count() == 0 || other.count() == 0)
        {
            return false;
        }
        final long distance = other.address() - one.address();
        return distance < one.count() * one.type().size() && -distance < other.count() * other.type().size();
    }

    /** Returns whether a request waits to begin. */
    boolean hasWaiting()
    {
        return waiting != null;
    }

    /**
     * Progresses the requests without blocking.
     *
     * @return amount of work done; 0 without progress.
     */
    int advance()
    {
        if (first == null)
        {
            // After a failure there may be calls in progress, which must not access their buffers any more.
            return 0;
        }
        int work = begin();
        if (!engine.isDone())
        {
            work += engine.progress(0);
        }
        return work + endDone();
    }

    /** Begins the requests that may begin now, in order. */
    private int begin()
    {
        int begun = 0;
        while (waiting != null && engine.mayBegin(waiting.call().plan()))
        {
            final CollectiveRequest request = waiting;
            engine.begin(request.call());
            request.begun();
            waiting = request.next;
            begun++;
        }
        return begun;
    }

    /** Removes the requests whose calls are done, and marks them as done. */
    int endDone()
    {
        int ended = 0;
        CollectiveRequest before = null;
        for (CollectiveRequest request = first; request != waiting; request = request.next)
        {
            if (!request.call().isDone())
            {
                if (hashes != null)
                {
                    // Hashes of results are written in the order of the calls.
                    break;
                }
                before = request;
                continue;
            }
            if (hashes != null)
            {
                final Plan plan = request.call().plan();
                hashes.add(plan.call(), plan.request(), plan.type(), request.call().outputMemory());
            }
            unlink(before, request);
            request.end(State.DONE, null);
            ended++;
        }
        return ended;
    }

    /** Removes a request; {@code before} is the previous request in the queue, or null. */
    private void unlink(final CollectiveRequest before, final CollectiveRequest request)
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
        waiting = waiting == request ? request.next : waiting;
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
                unlink(before, request);
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
        waiting = null;
        while (request != null)
        {
            final CollectiveRequest following = request.next;
            request.end(State.FAILED, why);
            request = following;
        }
    }
}
