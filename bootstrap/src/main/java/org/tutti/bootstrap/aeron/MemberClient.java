/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.aeron.exceptions.AeronException;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.FailureNotice;
import org.tutti.bootstrap.Uninterruptible;

/**
 * The thread that runs a member's session, and the calls of other threads to it. The thread joins, then polls every
 * millisecond, or every 16 ms after a second without requests, to send heartbeats and detect failures; while a caller
 * waits for a reply, it polls much faster. Only this thread calls Aeron: an interrupt of a caller that runs the media
 * driver would close the driver's channels. Callers park until the reply arrives. Thread-safe.
 */
final class MemberClient implements AutoCloseable
{
    private static final long SHORT_REST_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONG_REST_NS = TimeUnit.MILLISECONDS.toNanos(16);
    private static final long LONG_REST_AFTER_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long ECHO_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long SEND_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /**
     * The time after which an interrupt ends a wait for a reply that depends on the coordinator only, which normally
     * replies at once.
     */
    private static final long COORDINATOR_PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);
    /** How long an interrupted thread waits for a join to end, to notify the other ranks. */
    private static final long CANCEL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final byte[] NOTHING = new byte[0];

    private final MemberContext context;
    private final FailureNotice notice;
    private final ReentrantLock lock = new ReentrantLock();
    private final MemberSession session;
    private final Thread thread;
    private final CountDownLatch joinEnded = new CountDownLatch(1);
    private volatile long joinDeadlineNs;
    private RuntimeException joinFailure;
    private volatile MemberListener listener = () -> { };
    private volatile long askedNs = System.nanoTime();
    private volatile boolean hasNewRequest;
    private volatile boolean isAborting;
    private volatile boolean isClosed;

    private MemberClient(final MemberContext context, final FailureNotice notice)
    {
        this.context = context;
        this.notice = notice;
        session = new MemberSession(context, notice);
        thread = new Thread(this::run, "tutti-bootstrap-" + context.memberId());
        thread.setDaemon(true);
    }

    /**
     * Joins the job.
     *
     * @throws BootstrapInterruptedException if the calling thread is interrupted; the other members are notified if the
     *                                       coordinator can be reached.
     */
    static MemberClient join(final MemberContext context, final FailureNotice notice)
    {
        final MemberClient client = new MemberClient(context, notice);
        client.joinDeadlineNs = System.nanoTime() + context.joinTimeoutNs();
        client.thread.start();
        try
        {
            client.joinEnded.await();
        }
        catch (final InterruptedException ex)
        {
            throw client.cancelJoin();
        }
        if (client.joinFailure != null)
        {
            throw client.joinFailure;
        }
        return client;
    }

    private BootstrapInterruptedException cancelJoin()
    {
        final long soonNs = System.nanoTime() + CANCEL_TIMEOUT_NS;
        joinDeadlineNs = joinDeadlineNs - soonNs < 0 ? joinDeadlineNs : soonNs;
        final BootstrapInterruptedException interrupted = BootstrapInterruptedException.of(
            context.name(), "it joined job '" + context.jobId() + "'");
        Uninterruptible.parkUntil(() -> joinEnded.getCount() == 0, 2 * CANCEL_TIMEOUT_NS);
        if (joinEnded.getCount() == 0 && joinFailure == null)
        {
            abort(interrupted);
        }
        close();
        return interrupted;
    }

    /** Sets the listener that the thread calls after each poll. */
    void listener(final MemberListener called)
    {
        listener = called;
    }

    /**
     * Sends a request that is answered only when other members have acted, such as a barrier, and waits for the reply,
     * unless interrupted.
     *
     * @param head      the encoder of the message, or of its part before the body.
     * @param body      the rest of the message.
     * @param timeoutNs the maximum time to wait, in nanoseconds; up to 10 s longer if the coordinator is alive.
     * @return the value of the reply, or null if there is none.
     */
    byte[] ask(final MemberSession.RequestEncoder head, final byte[] body, final long timeoutNs)
    {
        return askWithin(head, body, timeoutNs, 0, false);
    }

    /**
     * As {@link #ask}, for requests that the coordinator answers without other members: an interrupt does not end the
     * wait immediately.
     */
    byte[] requestFromCoordinator(final MemberSession.RequestEncoder head, final byte[] body, final long timeoutNs)
    {
        return askWithin(head, body, timeoutNs, COORDINATOR_PATIENCE_NS, false);
    }

    byte[] ask(final MemberSession.RequestEncoder request, final long timeoutNs)
    {
        return ask(request, NOTHING, timeoutNs);
    }

    private byte[] askWithin(
        final MemberSession.RequestEncoder head, final byte[] body, final long timeoutNs, final long patienceNs,
        final boolean outlastsStop)
    {
        final PendingRequest pending = new PendingRequest(this);
        final long id = send(head, body, pending);
        try
        {
            pending.await(timeoutNs, patienceNs, outlastsStop);
        }
        finally
        {
            forget(id);
            pending.end();
        }
        return pending.value();
    }

    /** Sends a request without waiting for the reply. */
    PendingRequest begin(final MemberSession.RequestEncoder head, final byte[] body)
    {
        final PendingRequest pending = new PendingRequest(this);
        send(head, body, pending);
        return pending;
    }

    PendingRequest begin(final MemberSession.RequestEncoder request)
    {
        return begin(request, NOTHING);
    }

    private long send(final MemberSession.RequestEncoder head, final byte[] body, final PendingRequest pending)
    {
        lock.lock();
        try
        {
            checkOpen();
            askedNs = System.nanoTime();
            final long id = session.request(head, body, pending);
            hasNewRequest = true;
            return id;
        }
        finally
        {
            lock.unlock();
            LockSupport.unpark(thread);
        }
    }

    private void forget(final long id)
    {
        lock.lock();
        try
        {
            session.forget(id);
        }
        finally
        {
            lock.unlock();
        }
    }

    MemberContext context()
    {
        return context;
    }

    /** Returns the watch of the coordinator. */
    CoordinatorWatch coordinator()
    {
        return session.coordinator();
    }

    /** Sends a message without a reply, and waits briefly until it is sent, as this process may be about to end. */
    private void send(final Function<MessageWriter, byte[]> message)
    {
        lock.lock();
        try
        {
            checkOpen();
            session.send(message);
        }
        finally
        {
            lock.unlock();
        }
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread)
        {
            Uninterruptible.parkUntil(this::isSent, SEND_TIMEOUT_NS);
        }
    }

    boolean isSent()
    {
        lock.lock();
        try
        {
            return session.isSent() || isClosed || session.isDriverGone();
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Notifies the coordinator that this member cannot continue; the coordinator notifies all members, including this
     * one.
     */
    void abort(final String reason)
    {
        abort(context.memberId(), reason);
    }

    /** As {@link #abort(String)}, but reports the member {@code culprit} as failed; -1 for an unknown member. */
    void abort(final int culprit, final String reason)
    {
        send((encoder) -> encoder.abort(culprit, reason));
        isAborting = true;
    }

    /** As {@link #abort(String)}, for an interrupted thread. */
    void abort(final BootstrapInterruptedException reason)
    {
        try
        {
            abort(reason.getMessage());
        }
        catch (final BootstrapException ex)
        {
            reason.addSuppressed(ex);
        }
    }

    /** Reports that this member waits, unless earlier messages have not been sent yet. */
    void reportWait(final int peer, final String call, final long waitedNs)
    {
        if (lock.tryLock())
        {
            try
            {
                if (!isClosed && session.isSent())
                {
                    session.send((writer) -> writer.waiting(peer, call, waitedNs));
                }
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    void checkOpen()
    {
        notice.check();
        if (isClosed)
        {
            throw new BootstrapException(context.name() + " has left the job: its bootstrap is closed");
        }
    }

    private void run()
    {
        try
        {
            session.join(() -> joinDeadlineNs);
        }
        catch (final AeronException | Error ex)
        {
            joinFailure = new BootstrapException(
                context.name() + " cannot join job '" + context.jobId() + "': " + ex.getMessage(), ex);
        }
        catch (final RuntimeException ex)
        {
            joinFailure = ex;
        }
        if (joinFailure == null)
        {
            joinEnded.countDown();
            pollUntilClosed();
        }
        try
        {
            session.close();
        }
        finally
        {
            joinEnded.countDown();
        }
    }

    private void pollUntilClosed()
    {
        final CallerIdleStrategy idleStrategy = new CallerIdleStrategy();
        while (!isClosed)
        {
            final int work = pollLocked();
            try
            {
                listener.onTick();
            }
            catch (final RuntimeException | Error ex)
            {
                // An exception of the listener must not stop the heartbeats; the thread's handler prints it.
                thread.getUncaughtExceptionHandler().uncaughtException(thread, ex);
            }
            if (hasNewRequest)
            {
                hasNewRequest = false;
                idleStrategy.reset();
            }
            if (session.isAwaited())
            {
                idleStrategy.idle(work);
            }
            else
            {
                LockSupport.parkNanos(System.nanoTime() - askedNs < LONG_REST_AFTER_NS ? SHORT_REST_NS : LONG_REST_NS);
            }
        }
    }

    private int pollLocked()
    {
        lock.lock();
        try
        {
            return session.poll();
        }
        catch (final RuntimeException | Error ex)
        {
            session.onPollFailed(ex);
            return 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Leaves cleanly if that is still possible, and ends the thread. Idempotent. */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        leave();
        isClosed = true;
        LockSupport.unpark(thread);
        if (Thread.currentThread() != thread)
        {
            Uninterruptible.parkUntil(() -> !thread.isAlive(), CLOSE_TIMEOUT_NS);
        }
    }

    private void leave()
    {
        if (joinEnded.getCount() > 0 || joinFailure != null)
        {
            return;
        }
        if (notice.failure() != null)
        {
            if (isAborting)
            {
                awaitEcho();
            }
            return;
        }
        try
        {
            // Waits even for a busy or stopped coordinator: if this process ended first, the coordinator would consider
            // this rank failed.
            askWithin(MessageWriter::leave, NOTHING, session.heartbeatTimeoutNs(), COORDINATOR_PATIENCE_NS, true);
        }
        catch (final BootstrapException ex)
        {
            // The job failed in the meantime, or the coordinator is ending: no process is left to notify.
        }
    }

    /**
     * Waits until the coordinator has answered this member's abort by notifying it of the failure: if this process runs
     * the media driver, closing the driver earlier could discard the abort.
     */
    private void awaitEcho()
    {
        Uninterruptible.parkUntil(() -> session.isFailureHeard() || session.isDriverGone(), ECHO_TIMEOUT_NS);
    }
}
