/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.fault.Diagnosis;

/**
 * Decides whether a thread may use a communicator: the thread must not be within a user's operator or a group of that
 * communicator, and waits for other threads only until its deadline or an interrupt. Thread-safe; allocates nothing on
 * the normal path.
 */
public final class CallAdmission
{
    /** Number of attempts within which another thread usually releases the lock. */
    private static final int PATIENCE = 256;
    /**
     * Time within which a thread that waits for requests releases the lock when asked to, unless it runs a user's
     * operator, in nanoseconds.
     */
    private static final long GIVE_WAY_NS = 1_000_000_000;

    private final Session session;
    private final CommunicatorLock lock;

    /**
     * Creates the admission checks for a session whose constructor is still running.
     *
     * @param session session.
     * @param lock    lock of the session.
     */
    CallAdmission(final Session session, final CommunicatorLock lock)
    {
        this.session = session;
        this.lock = lock;
    }

    /**
     * Takes the lock for a call.
     *
     * @param timeoutNs maximum wait in nanoseconds.
     */
    void take(final long timeoutNs)
    {
        requireMayCall();
        // After a failure the call fails anyway: a stuck operator must not delay its error.
        final CommunicatorLock.Taken taken =
            lock.take(session.hasFailed() ? Math.min(timeoutNs, GIVE_WAY_NS) : timeoutNs);
        if (taken != CommunicatorLock.Taken.YES)
        {
            throw refusal(taken, timeoutNs);
        }
    }

    /** Throws if the calling thread is in an operator or a group of the communicator. */
    public void requireMayCall()
    {
        requireOutsideOperator();
        if (session.group().isOpenHere())
        {
            throw new IllegalStateException("this thread is in a group of the communicator, which allows only " +
                "blocking calls on DataBuffers: make other calls before or after the group");
        }
    }

    private RuntimeException refusal(final CommunicatorLock.Taken taken, final long timeoutNs)
    {
        if (taken == CommunicatorLock.Taken.IN_USE)
        {
            session.requireOpen();
            return new IllegalStateException(
                "the communicator is in use by thread " + lock.caller() + ": only one thread at a time may call");
        }
        return fail(taken == CommunicatorLock.Taken.INTERRUPTED, "a call", timeoutNs);
    }

    /** Throws if the calling thread runs an operator of the communicator. */
    public void requireOutsideOperator()
    {
        session.team().operator().requireOutside();
    }

    /**
     * Periodically checks whether to keep waiting for a request that another thread progresses. At the deadline, takes
     * the lock from the other thread, whose own deadline may be later: only the thread that holds the lock can
     * determine which ranks are late.
     *
     * @param attempt   number of previous calls in this wait.
     * @param startNs   start of the wait by {@link System#nanoTime()}.
     * @param timeoutNs maximum wait in nanoseconds.
     * @return true if the calling thread now holds the lock, as a waiter (see {@link CommunicatorLock}).
     */
    boolean look(final int attempt, final long startNs, final long timeoutNs)
    {
        if (attempt < PATIENCE)
        {
            return false;
        }
        final boolean isInterrupted = Thread.currentThread().isInterrupted();
        if (!isInterrupted && System.nanoTime() - startNs <= timeoutNs)
        {
            return false;
        }
        final CommunicatorLock.Taken taken =
            isInterrupted ? CommunicatorLock.Taken.INTERRUPTED : lock.takeToWaitFromWaiters(GIVE_WAY_NS);
        if (taken != CommunicatorLock.Taken.YES)
        {
            throw fail(taken == CommunicatorLock.Taken.INTERRUPTED, "the wait for a request", timeoutNs);
        }
        return true;
    }

    private RuntimeException fail(final boolean isInterrupted, final String what, final long timeoutNs)
    {
        session.requireOpen();
        final Diagnosis diagnosis = session.diagnosis();
        return session.failFromOutside(isInterrupted ?
            diagnosis.interrupted(what) :
            diagnosis.occupied(what, timeoutNs, lock.caller(), "; other threads wait for it"));
    }
}
