/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.CollectiveException;

import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/** Waits for requests of which somebody has the future. The thread is started with the first one. */
final class ProgressThread implements AutoCloseable
{
    /** A request that is not done, and how long to wait for it. */
    private record Watch(EngineRequest request, long timeoutNs)
    {
    }

    private final Session session;
    private final Queue<Watch> watched = new ConcurrentLinkedQueue<>();
    private Thread thread;
    private volatile boolean closed;

    ProgressThread(final Session session)
    {
        this.session = session;
    }

    /**
     * Sees to it that a request gets done.
     *
     * @param timeoutNs after which all fails; as good as never if nobody waits for it.
     */
    synchronized void watch(
        final EngineRequest request, final CompletableFuture<Void> future, final long timeoutNs)
    {
        if (future.isDone() || closed)
        {
            return;
        }
        watched.add(new Watch(request, timeoutNs));
        if (thread == null)
        {
            thread = Thread.ofPlatform().daemon().name("tutti-progress-" + session.mesh().rank()).start(this::run);
        }
        LockSupport.unpark(thread);
    }

    /** Completes a future, and runs what depends on it, in a thread of its own: this one has the turn. */
    void complete(final CompletableFuture<Void> future, final RuntimeException problem)
    {
        Thread.ofVirtual().name("tutti-future-" + session.mesh().rank()).start(() ->
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
            final Watch watch = watched.poll();
            if (watch == null)
            {
                LockSupport.park(this);
            }
            else if (!watch.request.isDone())
            {
                await(watch);
            }
        }
    }

    private void await(final Watch watch)
    {
        try
        {
            session.await(watch.request, watch.timeoutNs);
        }
        catch (final CollectiveException toldByTheFuture)
        {
            // The session has failed, and all its requests with it.
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
