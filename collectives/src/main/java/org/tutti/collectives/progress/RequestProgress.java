/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.util.Backoff;

import java.util.concurrent.CompletableFuture;

/**
 * The requests of a session: starts them, goes on with them, waits for them and cancels them, for any thread. One
 * thread at a time goes on with them, with the session's lock.
 */
public final class RequestProgress
{
    private final Session session;
    private final CommunicatorLock lock;
    private final ProgressQueue queue;

    RequestProgress(final Session session, final CommunicatorLock lock, final ProgressQueue queue)
    {
        this.session = session;
        this.lock = lock;
        this.queue = queue;
    }

    /** A request of a settled call: started under the same lock, unless it is persistent. */
    public CollectiveRequest request(final CollectiveCall settled, final long timeoutNs, final boolean isPersistent)
    {
        session.acquire(timeoutNs);
        try
        {
            session.requireOpen();
            settled.plan(session.plans().find(settled));
            final CollectiveRequest request = new CollectiveRequest(session, settled, timeoutNs, isPersistent);
            if (!isPersistent)
            {
                queue.add(request);
                advance();
            }
            return request;
        }
        finally
        {
            session.leave();
        }
    }

    /** Starts a request, and begins with it if none is before it. */
    void start(final CollectiveRequest request)
    {
        session.acquire(request.timeoutNs());
        try
        {
            session.requireOpen();
            queue.add(request);
            advance();
        }
        finally
        {
            session.leave();
        }
    }

    /** Runs a request as a blocking call, past the queue: what was started before it is done by then. */
    void run(final CollectiveRequest request)
    {
        session.enter(request.timeoutNs());
        try
        {
            request.begins();
            session.execute(request.call());
            request.ran();
        }
        catch (final CollectiveException e)
        {
            request.end(CollectiveRequest.State.FAILED, e);
            throw e;
        }
        finally
        {
            session.leave();
        }
    }

    /** Goes on with what was started; does nothing where another thread does that. */
    void test()
    {
        session.admission().requireOutsideOperator();
        advanceOrLook();
        session.channels().goOn(session);
    }

    /** The same for a thread that waits for another call, if there is anything to progress. */
    int goOn()
    {
        return queue.isEmpty() ? Waiter.NONE :
            advanceOrLook() > 0 ? Waiter.MOVED : Waiter.WAITING;
    }

    /** Goes on with what was started, without a thread that waits. */
    void goOnByItself()
    {
        final CollectiveRequest request = queue.last();
        if (request != null)
        {
            session.progress().watch(session, request, new CompletableFuture<>(), Long.MAX_VALUE);
        }
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

    /** Waits until a request is done; threads that wait take the lock in turn. */
    void await(final CollectiveRequest request, final long timeoutNs)
    {
        await(request, timeoutNs, System.nanoTime());
    }

    /** As {@link #await(CollectiveRequest, long)}, with a deadline shared by several requests, counted from startNs. */
    void await(final CollectiveRequest request, final long timeoutNs, final long startNs)
    {
        await(request, timeoutNs, startNs, null);
    }

    /** As above; if the caller is a progress thread and not null, returns also when that has new requests. */
    void await(
        final CollectiveRequest request, final long timeoutNs, final long startNs, final ProgressThread caller)
    {
        session.admission().requireOutsideOperator();
        int attempts = 0;
        while (!request.isDone() && (caller == null || !caller.hasNews()))
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

    /** Takes a request back, if it was not begun, and no other thread makes a call: that may be about to begin it. */
    boolean cancel(final CollectiveRequest request)
    {
        session.admission().requireOutsideOperator();
        if (request.isDone() || lock.take(request.timeoutNs()) != CommunicatorLock.Taken.YES)
        {
            return false;
        }
        try
        {
            return queue.remove(request);
        }
        finally
        {
            session.leave();
        }
    }

    /** Goes on until a request is done, another thread wants the lock, or the caller has news. */
    private void finishRequests(final CollectiveRequest request, final ProgressThread caller)
    {
        try
        {
            while (!request.isDone() && !lock.isWanted() && (caller == null || !caller.hasNews()))
            {
                session.waitOrProgress(queue.advance());
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    /** Goes on until all requests are done: what is called now comes after them. */
    void finishAll()
    {
        if (queue.isEmpty())
        {
            return;
        }
        try
        {
            while (!queue.isEmpty())
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
                session.lookForFailure();
            }
            return work;
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }
}
