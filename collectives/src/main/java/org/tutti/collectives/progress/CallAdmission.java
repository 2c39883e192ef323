/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.fault.Diagnosis;

/**
 * Whether a thread may use a communicator: it must not run an operator of it, nor be in a group, and waits for other
 * threads only until its deadline or an interrupt. Thread-safe; allocates nothing while all is well.
 */
public final class CallAdmission
{
    /** A thread that holds the lock mostly releases it sooner. */
    private static final int PATIENCE = 256;
    /** A thread that waits gives way sooner, unless it is in a user's operator. */
    private static final long GIVE_WAY_NS = 1_000_000_000;

    private final Session session;
    private final CommunicatorLock lock;

    /**
     * For a session that is being made.
     *
     * @param lock lock of the session.
     */
    CallAdmission(final Session session, final CommunicatorLock lock)
    {
        this.session = session;
        this.lock = lock;
    }

    /**
     * Takes the lock for a call.
     *
     * @param timeoutNs maximum duration, in nanoseconds.
     */
    void take(final long timeoutNs)
    {
        requireOutsideOperator();
        if (session.group().isOpenHere())
        {
            throw new IllegalStateException("this thread is in a group of the communicator, which takes blocking " +
                "calls of DataBuffers only: make other calls before it or after it");
        }
        // The call is about to fail anyway: a stuck operator must not hold up its error.
        final CommunicatorLock.Taken taken =
            lock.take(session.hasFailed() ? Math.min(timeoutNs, GIVE_WAY_NS) : timeoutNs);
        if (taken != CommunicatorLock.Taken.YES)
        {
            throw refusal(taken, timeoutNs);
        }
    }

    private RuntimeException refusal(final CommunicatorLock.Taken taken, final long timeoutNs)
    {
        if (taken == CommunicatorLock.Taken.IN_USE)
        {
            session.requireOpen();
            return new IllegalStateException(
                "the communicator is in use by thread " + lock.caller() + ": one thread at a time may call");
        }
        return fail(taken == CommunicatorLock.Taken.INTERRUPTED, "a call", timeoutNs);
    }

    /** Throws if the calling thread runs an operator of the communicator. */
    public void requireOutsideOperator()
    {
        session.team().operator().requireOutside();
    }

    /**
     * Now and then, looks whether to wait for a request that another thread goes on with. At the deadline takes the
     * lock from a thread that waits for longer: only the thread that holds the lock can find out which ranks are late.
     *
     * @param attempt   number of earlier calls in this wait.
     * @param startNs   start of the wait by {@link System#nanoTime()}.
     * @param timeoutNs maximum duration, in nanoseconds.
     * @return whether the calling thread holds the lock to wait now.
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
            diagnosis.occupied(what, timeoutNs, lock.caller(), ", for which others wait"));
    }
}
