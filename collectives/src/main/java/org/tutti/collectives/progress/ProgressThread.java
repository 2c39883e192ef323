/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for requests whose futures were requested: one thread for a communicator and all of its channels, started
 * with the first request. A wait in one of them progresses the others, too; so it waits for the request whose
 * deadline is next, and looks again when there is a new one.
 */
final class ProgressThread implements AutoCloseable
{
    /** A request that is not done, and how long to wait for it from when none before it is in its session. */
    private static final class Watch
    {
        private final Session session;
        private final CollectiveRequest request;
        private final CompletableFuture<Void> future;
        private final long timeoutNs;
        private long startNs;

        Watch(
            final Session session, final CollectiveRequest request, final CompletableFuture<Void> future,
            final long timeoutNs)
        {
            this.session = session;
            this.request = request;
            this.future = future;
            this.timeoutNs = timeoutNs;
        }
    }

    private final int rank;
    private final Queue<Watch> news = new ConcurrentLinkedQueue<>();
    /** The thread's own: what is watched, by session, in its order. */
    private final Map<Session, Deque<Watch>> watched = new HashMap<>();
    private Thread thread;
    private volatile boolean closed;

    /** Of a communicator. */
    ProgressThread(final int rank)
    {
        this.rank = rank;
    }

    /**
     * Sees to it that a request gets done.
     *
     * @param session   session of the request: the communicator's, or that of a channel.
     * @param timeoutNs time after which all fails, in nanoseconds.
     */
    synchronized void watch(
        final Session session, final CollectiveRequest request, final CompletableFuture<Void> future,
        final long timeoutNs)
    {
        if (future.isDone() || closed)
        {
            return;
        }
        news.add(new Watch(session, request, future, timeoutNs));
        if (thread == null)
        {
            thread = Thread.ofPlatform().daemon().name("tutti-progress-" + rank).start(this::run);
        }
        LockSupport.unpark(thread);
    }

    /** Whether there is a request that the thread has not looked at: it may have the next deadline. */
    boolean hasNews()
    {
        return !news.isEmpty() || isAnotherDone();
    }

    /** Whether the first of another session is done: how long the one behind it has begins then. */
    private boolean isAnotherDone()
    {
        for (final Deque<Watch> ofSession : watched.values())
        {
            final Watch first = ofSession.peek();
            if (first != null && first.request.isDone())
            {
                return true;
            }
        }
        return false;
    }

    /** Completes a future, and runs what depends on it, in a thread of its own: this one holds the lock. */
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
        while (!closed)
        {
            // A user's operator may have interrupted it: nothing would park any more.
            Thread.interrupted();
            takeNews();
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

    private void takeNews()
    {
        for (Watch watch = news.poll(); watch != null; watch = news.poll())
        {
            watched.computeIfAbsent(watch.session, session -> new ArrayDeque<>()).add(watch);
        }
    }

    /** The one with the least time left of those that are the first of their sessions, or null. */
    private Watch next()
    {
        final long nowNs = System.nanoTime();
        Watch next = null;
        for (final Deque<Watch> ofSession : watched.values())
        {
            while (!ofSession.isEmpty() && ofSession.peek().request.isDone())
            {
                // The thread that ended it may not have seen that there is a future.
                ofSession.poll().request.completeFuture();
            }
            final Watch first = ofSession.peek();
            if (first != null)
            {
                first.startNs = first.startNs == 0 ? nowNs : first.startNs;
                next = next == null || leftNs(first, nowNs) < leftNs(next, nowNs) ? first : next;
            }
        }
        return next;
    }

    private static long leftNs(final Watch watch, final long nowNs)
    {
        return watch.timeoutNs - (nowNs - watch.startNs);
    }

    private void await(final Watch watch)
    {
        if (watched.size() > 1)
        {
            // Nothing wakes it for another session: it must not sleep for long.
            watch.session.waiter().share();
        }
        try
        {
            watch.session.requests().await(watch.request, watch.timeoutNs, watch.startNs, this);
        }
        catch (final CollectiveException e)
        {
            // The session has failed, and all its requests with it, or as soon as the thread that holds its lock sees
            // it.
            watched.get(watch.session).remove(watch);
            if (!watch.request.isDone())
            {
                complete(watch.future, e);
            }
        }
    }

    /** Requests that are left have failed by now. */
    @Override
    public synchronized void close()
    {
        closed = true;
        LockSupport.unpark(thread);
    }
}
