/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.Team;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Closes a session: first ends the calls in progress, then, together with the other ranks, frees the memory that peers
 * may write into.
 */
public final class SessionCloser
{
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Session session;
    private final CommunicatorLock lock;
    private final ProgressQueue requests;
    private final AtomicBoolean closed = new AtomicBoolean();
    /** Whether the session's lock is taken for closing. Used by the closing thread only. */
    private boolean hasLock;
    /** Whether no thread sends or receives any more. */
    private boolean hasEndedMessages;

    /**
     * Creates the object that closes a session.
     *
     * @param session  session.
     * @param lock     lock of the session.
     * @param requests requests of the session.
     */
    SessionCloser(final Session session, final CommunicatorLock lock, final ProgressQueue requests)
    {
        this.session = session;
        this.lock = lock;
        this.requests = requests;
    }

    /** Whether closing has begun. Callable from any thread. */
    boolean hasBegun()
    {
        return closed.get();
    }

    /**
     * Ends calls in progress and frees everything; of threads that close concurrently, one does the work.
     *
     * @param timeoutNs maximum wait in nanoseconds for a call that runs a user's operator; other calls end soon.
     */
    public void close(final long timeoutNs)
    {
        session.admission().requireOutsideOperator();
        if (!closed.compareAndSet(false, true))
        {
            return;
        }
        final String thread = Thread.currentThread().getName();
        session.waiter().stop(Thread.currentThread());
        session.windows().stop(Thread.currentThread());
        session.messages().stop(Thread.currentThread());
        if (!endAllCalls(thread, System.nanoTime() + timeoutNs))
        {
            throw closeLater(thread, timeoutNs);
        }
        session.sessions().close(session, this::leaveAndFree);
    }

    private boolean endAllCalls(final String thread, final long deadlineNs)
    {
        hasEndedMessages = session.messages().endCalls(thread, deadlineNs);
        return hasEndedMessages && endCalls(thread, deadlineNs);
    }

    /**
     * Handles a call that does not end: its memory must not be freed during the call, so another thread frees it
     * afterwards.
     */
    private CollectiveException closeLater(final String thread, final long timeoutNs)
    {
        final Diagnosis diagnosis = session.diagnosis();
        final String caller = hasEndedMessages ? lock.caller() : session.messages().caller();
        final CollectiveException cause = session.failFromOutside(Thread.currentThread().isInterrupted() ?
            diagnosis.closeInterrupted() :
            diagnosis.occupied("close", timeoutNs, caller,
                "; memory and connections are released when it returns"));
        final Thread later = new Thread(() ->
        {
            while (!endAllCalls(thread, System.nanoTime()))
            {
                Backoff.sleep(RETRY_NS);
            }
            session.sessions().close(session, this::leaveAndFree);
        }, "tutti-close");
        later.setDaemon(true);
        later.start();
        return cause;
    }

    /**
     * Waits until no thread is in a call, and fails the requests that are not done.
     *
     * @param thread     name of the closing thread.
     * @param deadlineNs deadline by {@link System#nanoTime()}.
     * @return false if a call has not ended; this method can be called again then.
     */
    private boolean endCalls(final String thread, final long deadlineNs)
    {
        if (hasLock)
        {
            return true;
        }
        if (!lock.takeLast(deadlineNs, session.setup()::interrupt))
        {
            return false;
        }
        hasLock = true;
        session.progress().close();
        requests.endDone();
        if (!requests.isEmpty())
        {
            final ScheduleExecutor engine = session.engine();
            session.fail(session.diagnosis().closing(engine.sequence(), engine.waitedPeer(), thread));
        }
        return true;
    }

    /** Frees the memory and the connections. */
    private void free(final RuntimeException cause)
    {
        session.staging().close();
        session.engine().free();
        session.team().close(cause);
    }

    private void leaveAndFree()
    {
        RuntimeException cause = null;
        try
        {
            leaveJob();
        }
        catch (final CollectiveException | InternalError e)
        {
            cause = session.fail(e);
        }
        catch (final RuntimeException e)
        {
            cause = e;
        }
        cause = close(session.windows()::close, cause);
        cause = close(session.messages()::close, cause);
        free(cause);
        if (cause != null)
        {
            throw cause;
        }
    }

    /** Closes a part of the session; returns the first problem. */
    private static RuntimeException close(final Consumer<RuntimeException> part, final RuntimeException cause)
    {
        try
        {
            part.accept(cause);
        }
        catch (final RuntimeException e)
        {
            return cause == null ? e : cause;
        }
        return cause;
    }

    /** Waits until the other ranks need nothing from this one, and checks that all have made the same calls. */
    private void leaveJob()
    {
        final Team team = session.team();
        if (session.hasFailed() || team.size() == 1)
        {
            return;
        }
        session.windows().announceClose();
        session.messages().announceClose();
        session.engine().announceClose();
        team.announceEnd();
        final long[] calls;
        try
        {
            calls = team.awaitOthers(session.engine().sequence() + 1, CLOSE_TIMEOUT_NS);
        }
        catch (final BootstrapInterruptedException e)
        {
            throw session.diagnosis().closeInterrupted();
        }
        if (calls != null)
        {
            session.messages().checkClosed();
            session.engine().checkClosed(calls);
            team.board().clear();
        }
    }
}
