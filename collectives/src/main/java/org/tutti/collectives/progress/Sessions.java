/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.Uninterruptible;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveInterruptedException;
import org.tutti.collectives.wireup.CollectiveContext;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The sessions of the communicators that share a {@link CollectiveContext} and fail together. Thread-safe. */
public final class Sessions
{
    private static final long CLOSE_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long INTERRUPTED_PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private final List<Session> sessions = new ArrayList<>();
    private final List<FutureTask<?>> unfinished = new ArrayList<>();
    private CollectiveException failure;

    /** Adds a session, which fails if another one has failed. */
    synchronized void add(final Session session)
    {
        sessions.add(session);
        if (failure != null)
        {
            session.poison(failure);
        }
    }

    /**
     * Closes a communicator. Ranks may close their communicators in different orders, so that two ranks would each wait
     * for the other to close a different communicator. Therefore the close of a communicator that is not the rank's
     * last is awaited only briefly, and then continues in the background. The close of the last communicator waits for
     * all others.
     *
     * @param session session of the communicator.
     * @param closing code that frees the communicator within a bounded time.
     * @throws CollectiveInterruptedException if the thread is interrupted: all waits for other ranks end then.
     * @throws RuntimeException               thrown by {@code closing}, or by an earlier close that continued in the
     *                                        background.
     */
    void close(final Session session, final Runnable closing)
    {
        final List<FutureTask<?>> awaited;
        final FutureTask<?> task = new FutureTask<>(closing, null);
        final boolean isLast;
        synchronized (this)
        {
            sessions.remove(session);
            isLast = sessions.isEmpty();
            awaited = isLast ? List.copyOf(unfinished) : List.of();
            unfinished.removeIf(FutureTask::isDone);
            unfinished.add(task);
        }
        if (isLast)
        {
            task.run();
        }
        else
        {
            final Thread thread = new Thread(task, "tutti-close");
            thread.setDaemon(true);
            thread.start();
        }
        try
        {
            await(task, isLast ? Long.MAX_VALUE : CLOSE_PATIENCE_NS);
            for (final FutureTask<?> other : awaited)
            {
                await(other, Long.MAX_VALUE);
            }
        }
        catch (final InterruptedException e)
        {
            final CollectiveException interrupted =
                session.failFromOutside(session.diagnosis().closeInterrupted());
            Uninterruptible.parkUntil(
                () -> task.isDone() && awaited.stream().allMatch(FutureTask::isDone), INTERRUPTED_PATIENCE_NS);
            Thread.currentThread().interrupt();
            throw interrupted;
        }
    }

    private static void await(final FutureTask<?> task, final long timeoutNs) throws InterruptedException
    {
        try
        {
            task.get(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final TimeoutException continuesInBackground)
        {
            // Another rank closes other communicators first.
        }
        catch (final ExecutionException e)
        {
            if (e.getCause() instanceof final RuntimeException thrown)
            {
                throw thrown;
            }
            throw new IllegalStateException("cannot close", e.getCause());
        }
    }

    /** Fails all communicators after one has failed, since a late peer may still write into memory that they share. */
    public synchronized void fail(final CollectiveException cause)
    {
        failure = failure == null ? cause : failure;
        for (final Session session : sessions)
        {
            session.poison(cause);
        }
    }
}
