/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.fault.Diagnosis;
import org.tutti.collectives.progress.CommunicatorLock;
import org.tutti.collectives.progress.RankIdleStrategy;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.progress.SessionPart;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.wireup.Team;

/**
 * The point-to-point messages of a communicator on one rank, which are opened by the first call that needs them. Any
 * number of threads may call: one at a time holds the lock and makes progress for all, and a thread that waits releases
 * the lock when another one requests it. A thread that waits also progresses the requests of the communicator's
 * collectives.
 */
public final class MessageSession implements SessionPart
{
    /**
     * What is opened by the first call.
     *
     * @param team   team of the messages.
     * @param engine engine that sends and receives, used with the lock held.
     * @param waiter idle strategy of the thread that holds the lock.
     */
    record Opened(Team team, MessageEngine engine, RankIdleStrategy waiter)
    {
    }

    private final Session parent;
    private final CommunicatorLock lock = new CommunicatorLock();
    private final MessageProgress progress = new MessageProgress(this, lock);
    private volatile Opened opened;
    private volatile CollectiveException failure;
    private boolean isClosed;
    /** Whether the lock is taken for closing. Used by the closing thread only. */
    private boolean hasLock;

    /**
     * Creates the messages of a communicator, which are not opened.
     *
     * @param parent session of the communicator.
     */
    public MessageSession(final Session parent)
    {
        this.parent = parent;
    }

    private synchronized Opened open()
    {
        parent.requireOpen();
        if (isClosed)
        {
            throw new IllegalStateException("the communicator is closed");
        }
        if (opened == null)
        {
            try
            {
                final Team team = Team.ofMessages(parent.team(), MessageInbox.LENGTH);
                final MessageEngine engine = new MessageEngine(team);
                opened = new Opened(team, engine, new RankIdleStrategy(team, engine));
            }
            catch (final RuntimeException e)
            {
                final CollectiveException cause =
                    new CollectiveException(-1, parent.team().ranks().name(parent.team().rank()) +
                        " cannot open point-to-point communication: " + e.getMessage(), e);
                parent.sessions().fail(cause);
                throw cause;
            }
        }
        return opened;
    }

    /** Returns the calls and requests of this session. */
    MessageProgress calls()
    {
        return progress;
    }

    /** Returns the session of the communicator. */
    Session parent()
    {
        return parent;
    }

    /** Returns what the first call has opened; null before. */
    Opened opened()
    {
        return opened;
    }

    /** Takes the lock for a call of this thread, which releases it. */
    Opened enter(final long timeoutNs)
    {
        parent.admission().requireMayCall();
        final Opened found = opened;
        final Opened now = found == null ? open() : found;
        if (!lock.takeToWait())
        {
            now.waiter.share();
            takeFromWaiters(now, timeoutNs, timeoutNs);
        }
        lock.caller(Thread.currentThread());
        try
        {
            requireOpen();
        }
        catch (final RuntimeException e)
        {
            lock.give();
            throw e;
        }
        return now;
    }

    private void requireOpen()
    {
        parent.requireOpen();
        throwIfFailed();
    }

    /** Throws if the communicator has failed. */
    void throwIfFailed()
    {
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            throw Failures.again(earlier);
        }
    }

    /**
     * Takes the lock from threads that wait with it.
     *
     * @param limitNs   maximum wait for the lock in nanoseconds.
     * @param timeoutNs timeout of the call in nanoseconds, for the error.
     */
    void takeFromWaiters(final Opened now, final long limitNs, final long timeoutNs)
    {
        final CommunicatorLock.Taken taken = lock.takeToWaitFromWaiters(limitNs);
        if (taken == CommunicatorLock.Taken.YES)
        {
            return;
        }
        requireOpen();
        final Diagnosis diagnosis = now.engine.diagnosis();
        throw parent.failFromOutside(taken == CommunicatorLock.Taken.INTERRUPTED ? diagnosis.interrupted("a call") :
            diagnosis.occupied("a call", timeoutNs, lock.caller(), ""));
    }

    @Override
    public int progress()
    {
        final Opened now = opened;
        if (now == null || now.engine.isDone())
        {
            return RankIdleStrategy.NONE;
        }
        int work = 0;
        if (lock.takeToWait())
        {
            try
            {
                throwIfFailed();
                work = now.engine.progress(0);
                if (work == 0)
                {
                    now.waiter.look();
                }
            }
            catch (final RuntimeException | Error e)
            {
                fail(e);
            }
            finally
            {
                lock.give();
            }
        }
        return work > 0 ? RankIdleStrategy.MOVED : RankIdleStrategy.WAITING;
    }

    @Override
    public void progressInBackground()
    {
        progress.progressInBackground();
    }

    @Override
    public void endProgressInBackground()
    {
        progress.endProgressInBackground();
    }

    @Override
    public void poison(final CollectiveException cause)
    {
        if (failure == null)
        {
            giveUp();
            failure = cause;
        }
    }

    private void giveUp()
    {
        final Opened now = opened;
        if (now != null)
        {
            now.team.connectionTable().giveUp();
        }
    }

    /**
     * Fails all calls of the communicator, on all ranks. The caller holds the lock.
     *
     * @return exception to throw.
     */
    CollectiveException fail(final Throwable thrown)
    {
        final MessageEngine engine = opened.engine;
        final CollectiveException earlier = failure;
        if (earlier != null)
        {
            engine.failAll(earlier);
            return thrown == earlier ? earlier : Failures.again(earlier, thrown);
        }
        final Diagnosis diagnosis = engine.diagnosis();
        final CollectiveException cause = thrown instanceof final CollectiveException e ? e :
            thrown instanceof BootstrapInterruptedException ?
            diagnosis.interrupted(engine.sequence(), engine.waitedPeer()) : new CollectiveException(
            -1, diagnosis.where(engine.sequence()) + " failed: " + Failures.reason(thrown), thrown);
        // Gives up before any thread can throw the failure to the application, which may then write its buffers.
        giveUp();
        failure = cause;
        engine.failAll(cause);
        parent.failFromOutside(cause);
        return cause;
    }

    @Override
    public void stop(final Thread closing)
    {
        synchronized (this)
        {
            isClosed = true;
        }
        if (opened != null)
        {
            opened.waiter.stop(closing);
        }
    }

    @Override
    public boolean endCalls(final String thread, final long deadlineNs)
    {
        if (opened == null || hasLock)
        {
            return true;
        }
        hasLock = lock.takeLast(deadlineNs, () -> { });
        if (hasLock && !opened.engine.isDone())
        {
            final MessageEngine engine = opened.engine;
            fail(engine.diagnosis().closing(engine.sequence(), engine.waitedPeer(), thread));
        }
        return hasLock;
    }

    @Override
    public String caller()
    {
        return lock.caller();
    }

    @Override
    public void announceClose()
    {
        if (opened != null)
        {
            opened.engine.announceClose();
        }
    }

    @Override
    public void checkClosed()
    {
        if (opened != null)
        {
            opened.engine.checkClosed();
        }
    }

    @Override
    public void close(final RuntimeException cause)
    {
        if (opened != null)
        {
            opened.team.wireup().withdraw();
            opened.engine.free();
            opened.team.close(cause);
        }
    }
}
