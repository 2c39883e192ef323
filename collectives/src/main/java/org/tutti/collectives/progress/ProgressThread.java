/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.wireup.CollectiveContext;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.os.ProcessorAffinity;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that waits for requests whose futures were requested: one per communicator, started with the first
 * request. A wait for one request progresses the others, too; so the thread waits for the request with the earliest
 * deadline, and chooses again when a request is added.
 */
public final class ProgressThread implements AutoCloseable
{
    /**
     * A request that is not done, and its timeout, measured from when it becomes the first of its {@link Line}.
     */
    private static final class Watch
    {
        private final RequestOwner owner;
        private ProgressRequest request;
        /** Null if the watch is for all requests of the owner, one after another, or ends such a watch. */
        private final CompletableFuture<Void> future;
        private final long timeoutNs;
        private long startNs;

        Watch(
            final RequestOwner owner, final ProgressRequest request, final CompletableFuture<Void> future,
            final long timeoutNs)
        {
            this.owner = owner;
            this.request = request;
            this.future = future;
            this.timeoutNs = timeoutNs;
        }
    }

    /** Requests of one owner with one timeout: the deadline of the first one that is not done is the earliest. */
    private record Line(RequestOwner owner, long timeoutNs)
    {
    }

    /** Timeout of an entry that ends the watch of all requests of its owner. */
    private static final long UNWATCH = -1;

    private final int rank;
    private final boolean isAlways;
    private final int processor;
    private final Queue<Watch> added = new ConcurrentLinkedQueue<>();
    /** Requests watched by this thread, in order. Used by this thread only. */
    private final Map<Line, Deque<Watch>> watched = new HashMap<>();
    /** By owner: the watch of all its requests. Used by this thread only. */
    private final Map<RequestOwner, Watch> watchedAll = new HashMap<>();
    private Thread thread;
    private volatile boolean closed;

    /** Creates the progress thread of a communicator on a rank; it is not started. */
    ProgressThread(final Team team)
    {
        rank = team.rank();
        final CollectiveContext context = team.context();
        isAlways = context.configuration().progress().isThread();
        processor = context.configuration().progress().processor(context.job().rank());
    }

    /** Whether the thread progresses all requests, not only those with a future. */
    public boolean isAlways()
    {
        return isAlways;
    }

    /**
     * Progresses all requests of an owner until there are none.
     *
     * @param request the last request of the owner, or null to ask the owner.
     */
    public void watchAll(final RequestOwner owner, final ProgressRequest request)
    {
        watch(new Watch(owner, request, null, Long.MAX_VALUE));
    }

    /**
     * Adds a request to progress until it is done.
     *
     * @param owner     owner of the request.
     * @param request   request.
     * @param future    future to complete if the wait fails.
     * @param timeoutNs timeout in nanoseconds, after which the communicator fails.
     */
    public void watch(
        final RequestOwner owner, final ProgressRequest request, final CompletableFuture<Void> future,
        final long timeoutNs)
    {
        if (!future.isDone())
        {
            watch(new Watch(owner, request, future, timeoutNs));
        }
    }

    /** Ends {@link #watchAll}. */
    public void unwatchAll(final RequestOwner owner)
    {
        watch(new Watch(owner, null, null, UNWATCH));
    }

    private synchronized void watch(final Watch watch)
    {
        if (closed)
        {
            return;
        }
        added.add(watch);
        if (thread == null)
        {
            thread = Thread.ofPlatform().daemon().name("tutti-progress-" + rank).start(this::run);
        }
        LockSupport.unpark(thread);
    }

    /**
     * Whether the thread must choose again which request to wait for, because requests were added or the first one of
     * another owner is done.
     */
    public boolean hasNewRequests()
    {
        return !added.isEmpty() || isAnotherDone();
    }

    /** Whether the first request of an owner is done: the timeout of the next one starts then. */
    private boolean isAnotherDone()
    {
        for (final Deque<Watch> line : watched.values())
        {
            final Watch first = line.peek();
            if (first != null && first.request.isDone())
            {
                return true;
            }
        }
        return false;
    }

    /** Completes a future and runs dependent stages in a new thread, because the calling thread may hold the lock. */
    void complete(final CompletableFuture<Void> future, final RuntimeException problem)
    {
        Thread.ofVirtual().name("tutti-future-" + rank).start(() ->
        {
            if (problem == null)
            {
                future.complete(null);
            }
            else
            {
                future.completeExceptionally(problem);
            }
        });
    }

    private void run()
    {
        if (processor >= 0 && !ProcessorAffinity.pinThread(processor))
        {
            System.err.println("tutti: the progress thread of rank " + rank + " cannot be pinned to processor " +
                processor + ", which was available when the rank joined");
        }
        while (!closed)
        {
            // A user's operator may have interrupted this thread, which would keep it from parking.
            Thread.interrupted();
            takeAdded();
            final Watch next = next();
            if (next == null)
            {
                LockSupport.park(this);
            }
            else
            {
                await(next);
            }
        }
    }

    private void takeAdded()
    {
        for (Watch watch = added.poll(); watch != null; watch = added.poll())
        {
            if (watch.timeoutNs == UNWATCH)
            {
                watchedAll.remove(watch.owner);
            }
            else if (watch.future == null)
            {
                watchedAll.put(watch.owner, watch);
            }
            else
            {
                watched.computeIfAbsent(new Line(watch.owner, watch.timeoutNs), line -> new ArrayDeque<>()).add(watch);
            }
        }
    }

    /**
     * Returns, among the first watched requests of all owners, the one with the least time left; if there is none, a
     * watch of all requests of an owner, or null.
     */
    private Watch next()
    {
        final long nowNs = System.nanoTime();
        Watch next = null;
        for (final Deque<Watch> line : watched.values())
        {
            while (!line.isEmpty() && line.peek().request.isDone())
            {
                // The thread that ended the request may not have seen the future.
                line.poll().request.completeFuture();
            }
            final Watch first = line.peek();
            if (first != null)
            {
                first.startNs = first.startNs == 0 ? nowNs : first.startNs;
                next = next == null || leftNs(first, nowNs) < leftNs(next, nowNs) ? first : next;
            }
        }
        watched.values().removeIf(Deque::isEmpty);
        return next == null ? nextOfAll(nowNs) : next;
    }

    /**
     * Returns a watch of all requests of an owner that has requests, or null; used while the thread has no future to
     * complete.
     */
    private Watch nextOfAll(final long nowNs)
    {
        final Iterator<Watch> watches = watchedAll.values().iterator();
        while (watches.hasNext())
        {
            final Watch watch = watches.next();
            if (watch.request == null || watch.request.isDone())
            {
                watch.request = watch.owner.nextInBackground();
            }
            if (watch.request == null)
            {
                watches.remove();
                continue;
            }
            watch.startNs = nowNs;
            return watch;
        }
        return null;
    }

    private static long leftNs(final Watch watch, final long nowNs)
    {
        return watch.timeoutNs - (nowNs - watch.startNs);
    }

    private void await(final Watch watch)
    {
        if (!watchedAll.isEmpty() || watched.size() > 1)
        {
            // Neither an event of another owner nor a caller that requests the lock wakes this thread, so its sleeps
            // must be short.
            watch.owner.share();
        }
        try
        {
            watch.owner.await(watch.request, watch.timeoutNs, watch.startNs, this);
        }
        catch (final CollectiveException | IllegalStateException e)
        {
            // The owner's requests have failed, or fail when the thread that holds its lock sees the failure.
            if (watch.future == null)
            {
                watchedAll.remove(watch.owner);
                return;
            }
            watched.get(new Line(watch.owner, watch.timeoutNs)).remove(watch);
            if (!watch.request.isDone())
            {
                complete(watch.future, e);
            }
        }
    }

    /** Stops the thread. The caller then fails the requests that are not done. */
    @Override
    public synchronized void close()
    {
        closed = true;
        LockSupport.unpark(thread);
    }
}
