/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.util.Backoff;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Starts, progresses, awaits and cancels the requests of a session, for any thread. One thread at a time makes
 * progress, with the session's lock held.
 */
public final class RequestProgress implements RequestOwner
{
    private final Session session;
    private final CommunicatorLock lock;
    private final ProgressQueue queue;
    /** Whether the progress thread progresses all requests. */
    private final AtomicBoolean isWatched = new AtomicBoolean();

    RequestProgress(final Session session, final CommunicatorLock lock, final ProgressQueue queue)
    {
        this.session = session;
        this.lock = lock;
        this.queue = queue;
    }

    /**
     * Creates a request of a checked call, and, unless the request is persistent, starts it before releasing the lock.
     */
    public CollectiveRequest request(final CollectiveCall settled, final long timeoutNs, final boolean isPersistent)
    {
        session.acquire(timeoutNs);
        try
        {
            session.requireOpen();
            settled.plan(session.plans().find(settled));
            if (!isPersistent)
            {
                queue.requireApart(settled);
            }
            final CollectiveRequest request = new CollectiveRequest(this, settled, timeoutNs, isPersistent);
            if (!isPersistent)
            {
                queue.add(request);
                advance();
                watch();
            }
            return request;
        }
        finally
        {
            session.leave();
        }
    }

    /** Throws if a call uses a buffer of a request that is not done, unless both only read it. */
    public void requireApart(final CollectiveCall call)
    {
        queue.requireApart(call);
    }

    /** Starts a request, and begins it if the requests before it have begun. */
    @Override
    public void start(final ProgressRequest started)
    {
        final CollectiveRequest request = (CollectiveRequest)started;
        session.acquire(request.timeoutNs());
        try
        {
            session.requireOpen();
            request.requireNotUnderWay();
            queue.requireApart(request.call());
            queue.add(request);
            advance();
            watch();
        }
        finally
        {
            session.leave();
        }
    }

    /**
     * Runs a request as a blocking call, bypassing the queue, after the requests started before it have begun. Holds
     * the lock throughout: no other call can come in between, and no other thread waits for the request.
     */
    @Override
    public void run(final ProgressRequest run)
    {
        final CollectiveRequest request = (CollectiveRequest)run;
        session.enter(request.timeoutNs());
        try
        {
            queue.requireApart(request.call());
            request.begins();
            session.execute(request.call());
            request.ran();
        }
        catch (final CollectiveException e)
        {
            request.end(ProgressRequest.State.FAILED, e);
            throw e;
        }
        finally
        {
            session.leave();
        }
    }

    /** Progresses the requests, unless another thread holds the lock. */
    @Override
    public void test()
    {
        session.admission().requireOutsideOperator();
        advanceOrLook();
        session.messages().progress();
    }

    /** Whether there are no requests. Callable from any thread. */
    public boolean isEmpty()
    {
        return queue.isEmpty();
    }

    /**
     * As {@link #test}, for a thread that waits for another call; returns a state of these requests for {@link
     * RankIdleStrategy#idleAfter}.
     */
    public int progress()
    {
        return queue.isEmpty() ? RankIdleStrategy.NONE :
            advanceOrLook() > 0 ? RankIdleStrategy.MOVED : RankIdleStrategy.WAITING;
    }

    /**
     * Lets the progress thread progress all requests if {@code TUTTI_PROGRESS} is {@code thread}, unless it already
     * does.
     */
    private void watch()
    {
        if (session.progress().isAlways() && !queue.isEmpty() && !isWatched.getAndSet(true))
        {
            session.progress().watchAll(this, queue.last());
        }
    }

    @Override
    public CollectiveRequest nextInBackground()
    {
        final CollectiveRequest next = queue.last();
        if (next != null)
        {
            return next;
        }
        // Reads what watch() wrote, so a request that was added before that is seen here; for later requests, watch()
        // starts the watch again.
        isWatched.getAndSet(false);
        final CollectiveRequest added = queue.last();
        return added == null || isWatched.getAndSet(true) ? null : added;
    }

    private int advanceOrLook()
    {
        int work = 0;
        if (lock.takeToWait())
        {
            try
            {
                work = queue.advance();
                if (work == 0)
                {
                    session.waiter().look();
                }
            }
            catch (final RuntimeException | Error e)
            {
                session.fail(e);
            }
            finally
            {
                session.leave();
            }
        }
        return work;
    }

    /** {@inheritDoc} Of several waiting threads, one at a time holds the lock. */
    @Override
    public void await(
        final ProgressRequest awaited, final long timeoutNs, final long startNs, final ProgressThread caller)
    {
        final CollectiveRequest request = (CollectiveRequest)awaited;
        session.admission().requireOutsideOperator();
        int attempts = 0;
        while (!request.isDone() && (caller == null || !caller.hasNewRequests()))
        {
            if (!lock.takeToWait())
            {
                session.waiter().share();
                if (!session.admission().look(attempts, startNs, timeoutNs))
                {
                    Backoff.FOR_THREADS.pause(attempts++);
                    continue;
                }
            }
            attempts = 0;
            try
            {
                session.waiter().begin(timeoutNs, startNs);
                finishRequests(request, caller);
            }
            finally
            {
                session.leave();
            }
        }
    }

    @Override
    public void close(final ProgressRequest request)
    {
        session.acquire(request.timeoutNs());
        try
        {
            request.closed();
        }
        finally
        {
            session.leave();
        }
    }

    @Override
    public void share()
    {
        session.waiter().share();
    }

    @Override
    public ProgressThread progressThread()
    {
        return session.progress();
    }

    /** Removes a request if it has not begun and no other thread is in a call, which may be about to begin it. */
    @Override
    public boolean cancel(final ProgressRequest request)
    {
        session.admission().requireOutsideOperator();
        if (request.isDone() || lock.take(request.timeoutNs()) != CommunicatorLock.Taken.YES)
        {
            return false;
        }
        try
        {
            return queue.remove((CollectiveRequest)request);
        }
        finally
        {
            session.leave();
        }
    }

    /**
     * Makes progress until a request is done, another thread requests the lock, or the progress thread has new
     * requests.
     */
    private void finishRequests(final CollectiveRequest request, final ProgressThread caller)
    {
        try
        {
            session.engine().await(request.call());
            while (!request.isDone() && !lock.isWanted() && (caller == null || !caller.hasNewRequests()))
            {
                session.waitOrProgress(queue.advance());
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    /** Makes progress until all requests have begun, since a new call comes after them. */
    void beginAll()
    {
        if (queue.hasWaiting())
        {
            progress(false);
        }
    }

    /** Makes progress until all requests are done. */
    void finishAll()
    {
        progress(true);
    }

    private void progress(final boolean untilDone)
    {
        try
        {
            while (untilDone ? !queue.isEmpty() : queue.hasWaiting())
            {
                session.waitOrProgress(queue.advance());
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    private int advance()
    {
        try
        {
            final int work = queue.advance();
            if (queue.isEmpty())
            {
                session.checkFailure();
            }
            return work;
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }
}
