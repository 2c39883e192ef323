/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.exec.ScheduleExecutor;
import org.tutti.collectives.progress.CommunicatorLock;
import org.tutti.collectives.progress.ProgressThread;
import org.tutti.collectives.progress.RankIdleStrategy;
import org.tutti.collectives.pt2pt.MessageSession.Opened;
import org.tutti.collectives.util.Backoff;

/**
 * Waits for operations. Of several waiting threads one at a time holds the lock and makes progress for all; it releases
 * the lock when another thread requests it. Thread-safe.
 */
final class MessageWait
{
    /** Time within which a waiting thread releases the lock, in nanoseconds. */
    static final long GIVE_WAY_NS = 1_000_000_000;
    /** Number of attempts to take the lock before a thread looks at the clock. */
    private static final int PATIENCE = 256;

    private final MessageSession session;
    private final CommunicatorLock lock;
    /** Whether the thread that holds the lock progresses the collectives' requests, which may run a user's operator. */
    private volatile boolean isInCollectives;

    MessageWait(final MessageSession session, final CommunicatorLock lock)
    {
        this.session = session;
        this.lock = lock;
    }

    /**
     * Makes progress with the lock held until an operation is done, another thread requests the lock, or the progress
     * thread has new requests.
     */
    void progressUntilWanted(final Opened now, final MessageOperation operation, final ProgressThread caller)
    {
        if (operation.isDone())
        {
            return;
        }
        now.engine().operations().await(operation);
        while (!operation.isDone() && !lock.isWanted() && (caller == null || !caller.hasNewRequests()))
        {
            waitOrProgress(now);
        }
    }

    /** Waits until an operation is done, with the lock held whenever no other thread holds it. */
    void await(
        final MessageOperation operation, final long timeoutNs, final long startNs, final ProgressThread caller)
    {
        final Opened now = session.opened();
        while (!operation.isDone() && (caller == null || !caller.hasNewRequests()))
        {
            if (regain(now, operation, timeoutNs, startNs))
            {
                try
                {
                    now.waiter().begin(timeoutNs, startNs);
                    progressUntilWanted(now, operation, caller);
                }
                finally
                {
                    lock.give();
                }
            }
        }
    }

    /** Waits until an operation, and another one of the same call unless that is null, are done. */
    void await(
        final MessageOperation operation, final MessageOperation other, final long timeoutNs, final long startNs)
    {
        try
        {
            await(operation, timeoutNs, startNs, null);
            if (other != null)
            {
                await(other, timeoutNs, startNs, null);
            }
        }
        catch (final RuntimeException | Error e)
        {
            if (other != null)
            {
                awaitFailed(other, e);
            }
            throw e;
        }
    }

    /** Takes the lock for an operation; returns false if another thread has ended the operation meanwhile. */
    boolean regain(final Opened now, final MessageOperation operation, final long timeoutNs, final long startNs)
    {
        for (int attempt = 0; !operation.isDone(); attempt++)
        {
            if (lock.takeToWait())
            {
                lock.caller(Thread.currentThread());
                return true;
            }
            if (operation.mustLook && lock.takeToWaitFromWaiters(GIVE_WAY_NS) == CommunicatorLock.Taken.YES)
            {
                return true;
            }
            if (attempt >= PATIENCE &&
                (Thread.currentThread().isInterrupted() || System.nanoTime() - startNs > timeoutNs))
            {
                takeToReport(now, operation, timeoutNs);
                return true;
            }
            now.waiter().share();
            Backoff.FOR_THREADS.pause(attempt);
        }
        return false;
    }

    /** Takes the lock, because only the thread that holds it can report what an operation waits for. */
    private void takeToReport(final Opened now, final MessageOperation operation, final long timeoutNs)
    {
        try
        {
            session.takeFromWaiters(now, GIVE_WAY_NS, timeoutNs);
        }
        catch (final RuntimeException e)
        {
            awaitFailed(operation, e);
            throw e;
        }
    }

    /**
     * Waits until no thread accesses the memory of an operation of a communicator that has failed, because the caller
     * may free that memory. The thread that holds the lock does not access it in or after requests of collectives.
     */
    private void awaitFailed(final MessageOperation operation, final Throwable cause)
    {
        for (int attempt = 0; !operation.isDone() && !isInCollectives; attempt++)
        {
            if (lock.takeToWaitFromWaiters(0) == CommunicatorLock.Taken.YES)
            {
                try
                {
                    session.fail(cause);
                }
                finally
                {
                    lock.give();
                }
            }
            Backoff.FOR_THREADS.pause(attempt);
        }
    }

    /** Makes progress once, or idles, with the lock held. */
    void waitOrProgress(final Opened now)
    {
        try
        {
            final int work = now.engine().progress(ScheduleExecutor.POLLS);
            now.waiter().idleAfter(work, work > 0 ? RankIdleStrategy.NONE : progressCollectives());
            session.throwIfFailed();
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    private int progressCollectives()
    {
        if (session.parent().requests().isEmpty())
        {
            return RankIdleStrategy.NONE;
        }
        final int state;
        isInCollectives = true;
        try
        {
            state = session.parent().requests().progress();
        }
        finally
        {
            isInCollectives = false;
        }
        // Before memory is accessed again, as awaitFailed requires.
        session.throwIfFailed();
        return state;
    }
}
