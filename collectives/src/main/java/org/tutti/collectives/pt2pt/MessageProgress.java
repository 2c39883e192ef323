/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.progress.CommunicatorLock;
import org.tutti.collectives.progress.ProgressRequest;
import org.tutti.collectives.progress.ProgressThread;
import org.tutti.collectives.progress.RequestOwner;
import org.tutti.collectives.pt2pt.MessageSession.Opened;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The blocking calls and the requests of a communicator's messages. Thread-safe: a thread takes the lock for each call,
 * and while it waits, it releases the lock when another thread requests it. Of several waiting threads one at a time
 * holds the lock, and makes progress for all.
 */
final class MessageProgress implements RequestOwner
{
    private final MessageSession session;
    private final CommunicatorLock lock;
    private final MessageWait wait;
    /** Whether the progress thread progresses all requests, as it always does. */
    private final AtomicBoolean isWatched = new AtomicBoolean();
    /** Whether it does so for a while. Used with the lock of the communicator's collectives held. */
    private boolean isInBackground;

    MessageProgress(final MessageSession session, final CommunicatorLock lock)
    {
        this.session = session;
        this.lock = lock;
        wait = new MessageWait(session, lock);
    }

    /**
     * Begins a blocking call: takes the lock, which {@link #run} or {@link #probe} releases.
     *
     * @return operation without arguments.
     */
    MessageOperation begin(final long timeoutNs)
    {
        return session.enter(timeoutNs).engine().operations().take();
    }

    /** Returns an operation for another send or receive of the same call. */
    MessageOperation another()
    {
        return session.opened().engine().operations().take();
    }

    /**
     * Runs an operation, and concurrently another one, and ends the call.
     *
     * @param operation operation whose arguments are set.
     * @param other     another one, or null.
     * @param timeoutNs timeout of both together in nanoseconds.
     * @param status    set to the result of the first operation if that is a receive, unless null.
     */
    void run(
        final MessageOperation operation, final MessageOperation other, final long timeoutNs,
        final MessageStatus status)
    {
        final Opened now = session.opened();
        final long startNs;
        try
        {
            now.waiter().begin(timeoutNs);
            post(operation);
            if (other != null)
            {
                post(other);
            }
            wait.progressUntilWanted(now, operation, null);
            if (other != null)
            {
                wait.progressUntilWanted(now, other, null);
            }
            if (operation.isDone() && (other == null || other.isDone()))
            {
                operation.copyTo(status);
                release(now, operation);
                release(now, other);
                return;
            }
            startNs = now.waiter().startNs() == 0 ? System.nanoTime() : now.waiter().startNs();
        }
        finally
        {
            lock.give();
        }
        wait.await(operation, other, timeoutNs, startNs);
        operation.throwIfFailed();
        operation.copyTo(status);
        now.engine().operations().releaseWithoutLock(operation);
        if (other != null)
        {
            other.throwIfFailed();
            now.engine().operations().releaseWithoutLock(other);
        }
    }

    private static void release(final Opened now, final MessageOperation operation)
    {
        if (operation != null)
        {
            operation.throwIfFailed();
            now.engine().operations().release(operation);
        }
    }

    /** Begins an operation, whose arguments are set. */
    private void post(final MessageOperation operation)
    {
        final MessageEngine engine = session.opened().engine();
        try
        {
            engine.post(operation);
            if (operation.isDone())
            {
                // A thread that makes short sends only never waits, and must still see that a rank has failed.
                engine.progress(0);
                engine.diagnosis().throwIfFailed(engine.sequence());
            }
            else
            {
                engine.flush();
            }
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    /**
     * Looks for a message that a receive would match, and ends the call.
     *
     * @param probe     operation to use.
     * @param timeoutNs time to wait for such a message in nanoseconds; negative to look once.
     * @param status    set to the result, unless null.
     * @return whether there is such a message.
     */
    boolean probe(final MessageOperation probe, final long timeoutNs, final MessageStatus status)
    {
        final Opened now = session.opened();
        final long startNs = System.nanoTime();
        Boolean isFound;
        try
        {
            beginProbe(now, probe);
            isFound = probeUntilWanted(now, probe, timeoutNs, startNs, status);
        }
        finally
        {
            lock.give();
        }
        while (isFound == null && wait.regain(now, probe, timeoutNs, startNs))
        {
            try
            {
                isFound = probeUntilWanted(now, probe, timeoutNs, startNs, status);
            }
            finally
            {
                lock.give();
            }
        }
        if (isFound == null)
        {
            probe.throwIfFailed();
        }
        return isFound != null && isFound;
    }

    private void beginProbe(final Opened now, final MessageOperation probe)
    {
        try
        {
            now.engine().beginProbe(probe);
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    /**
     * Looks for a message with the lock held until the probe ends, and then releases it, or another thread requests the
     * lock.
     *
     * @return whether there is such a message, or null if another thread requests the lock or has ended the probe.
     */
    private Boolean probeUntilWanted(
        final Opened now, final MessageOperation probe, final long timeoutNs, final long startNs,
        final MessageStatus status)
    {
        if (probe.isDone())
        {
            return null;
        }
        now.waiter().begin(timeoutNs, startNs);
        probe.mustLook = false;
        try
        {
            now.engine().progress(0);
            // A program that only looks must still see that a rank has failed.
            now.waiter().look();
            boolean isFound = now.engine().probe(probe, timeoutNs < 0, status);
            while (!probe.isDone() && !lock.isWanted())
            {
                now.engine().operations().await(probe);
                wait.waitOrProgress(now);
                isFound = now.engine().probe(probe, false, status);
            }
            if (!probe.isDone())
            {
                return null;
            }
            now.engine().operations().release(probe);
            return isFound;
        }
        catch (final RuntimeException | Error e)
        {
            throw session.fail(e);
        }
    }

    @Override
    public void start(final ProgressRequest request)
    {
        session.enter(request.timeoutNs());
        try
        {
            request.started();
            post(((MessageRequest)request).operation());
            watch();
        }
        finally
        {
            lock.give();
        }
    }

    @Override
    public void run(final ProgressRequest request)
    {
        start(request);
        request.await();
    }

    private void watch()
    {
        if (session.parent().progress().isAlways() && !isWatched.get())
        {
            final MessageRequest request = (MessageRequest)session.opened().engine().operations().anyRequest();
            if (request != null && !isWatched.getAndSet(true))
            {
                session.parent().progress().watchAll(this, request);
            }
        }
    }

    @Override
    public ProgressRequest nextInBackground()
    {
        final MessageRequest next = anyRequest();
        if (next != null || !session.parent().progress().isAlways())
        {
            return next;
        }
        isWatched.getAndSet(false);
        final MessageRequest added = anyRequest();
        return added == null || isWatched.getAndSet(true) ? null : added;
    }

    private MessageRequest anyRequest()
    {
        CommunicatorLock.Taken taken;
        do
        {
            taken = lock.takeToWaitFromWaiters(MessageWait.GIVE_WAY_NS);
        }
        while (taken == CommunicatorLock.Taken.TIMED_OUT);
        if (taken != CommunicatorLock.Taken.YES)
        {
            return null;
        }
        try
        {
            return (MessageRequest)session.opened().engine().operations().anyRequest();
        }
        finally
        {
            lock.give();
        }
    }

    @Override
    public void test()
    {
        session.parent().admission().requireOutsideOperator();
        session.progress();
        session.parent().requests().progress();
    }

    @Override
    public void await(
        final ProgressRequest request, final long timeoutNs, final long startNs, final ProgressThread caller)
    {
        session.parent().admission().requireOutsideOperator();
        final MessageOperation operation = ((MessageRequest)request).operation();
        // The operation of a request that another thread is just starting may not have begun.
        while (!request.isDone() && (caller == null || !caller.hasNewRequests()))
        {
            wait.await(operation, timeoutNs, startNs, caller);
        }
    }

    @Override
    public boolean cancel(final ProgressRequest request)
    {
        session.parent().admission().requireOutsideOperator();
        if (request.isDone())
        {
            return false;
        }
        session.enter(request.timeoutNs());
        try
        {
            final MessageOperation operation = ((MessageRequest)request).operation();
            final boolean isCancelled = session.opened().engine().cancel(operation);
            if (isCancelled)
            {
                request.end(ProgressRequest.State.CANCELLED, null);
                operation.done();
            }
            return isCancelled;
        }
        finally
        {
            lock.give();
        }
    }

    @Override
    public void close(final ProgressRequest request)
    {
        // Without the lock, the communicator is closed or stuck, and no thread completes the request any more.
        final boolean hasLock = lock.takeToWaitFromWaiters(request.timeoutNs()) == CommunicatorLock.Taken.YES;
        try
        {
            request.closed();
        }
        finally
        {
            if (hasLock)
            {
                lock.give();
            }
        }
    }

    @Override
    public void share()
    {
        session.opened().waiter().share();
    }

    @Override
    public ProgressThread progressThread()
    {
        return session.parent().progress();
    }

    /** Lets the progress thread progress the requests. */
    void progressInBackground()
    {
        final Opened now = session.opened();
        isInBackground = now != null && !now.engine().isDone() && !session.parent().progress().isAlways();
        if (isInBackground)
        {
            session.parent().progress().watchAll(this, null);
        }
    }

    /** Ends {@link #progressInBackground}. */
    void endProgressInBackground()
    {
        if (isInBackground)
        {
            session.parent().progress().unwatchAll(this);
        }
    }
}
