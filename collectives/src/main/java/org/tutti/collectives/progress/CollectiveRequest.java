/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.util.Failures;
import org.tutti.collectives.wireup.PooledDataBuffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * A call with its buffers, which can be started once, or repeatedly if it is persistent. Threads that hold the
 * session's lock change its state; any thread may read it.
 */
public final class CollectiveRequest implements PersistentRequest, TimedRequest
{
    /** State of a request. */
    enum State
    {
        IDLE, STARTED, BEGUN, DONE, FAILED, CANCELLED, CLOSED
    }

    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(CollectiveRequest.class, "state", State.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Next request in the queue. */
    CollectiveRequest next;

    private final Session session;
    private final CollectiveCall call;
    private final long timeoutNs;
    private final boolean isPersistent;
    private final AtomicReference<CompletableFuture<Void>> future = new AtomicReference<>();
    private RuntimeException failure;
    private volatile State state = State.IDLE;

    /**
     * Creates a request that is not started.
     *
     * @param session      session of the request.
     * @param call         checked and planned call, owned by the request from now on.
     * @param timeoutNs    timeout of each wait in nanoseconds.
     * @param isPersistent whether the request keeps its buffers when it is done.
     */
    CollectiveRequest(
        final Session session, final CollectiveCall call, final long timeoutNs, final boolean isPersistent)
    {
        this.session = session;
        this.call = call;
        this.timeoutNs = timeoutNs;
        this.isPersistent = isPersistent;
        useBuffers(1);
    }

    /** Protects the buffers from being closed (1), or releases that protection (-1). */
    private void useBuffers(final int change)
    {
        use(call.input(), change);
        use(call.output(), change);
    }

    private static void use(final PooledDataBuffer buffer, final int change)
    {
        if (buffer != null)
        {
            buffer.use(change);
        }
    }

    CollectiveCall call()
    {
        return call;
    }

    @Override
    public long timeoutNs()
    {
        return timeoutNs;
    }

    boolean isBegun()
    {
        return state == State.BEGUN;
    }

    /** Marks the request as started. Called with the lock held, before the request is queued. */
    void started()
    {
        starts(State.STARTED);
    }

    /**
     * Marks the request as begun by a blocking run. Called with the lock held, before the engine executes the request.
     */
    void begins()
    {
        starts(State.BEGUN);
    }

    private void starts(final State how)
    {
        if (state == State.CLOSED)
        {
            throw new IllegalStateException("the request is closed");
        }
        requireNotUnderWay();
        if (future.get() != null)
        {
            // A thread may have requested the future unnoticed when the last run completed.
            completeFuture();
            future.setRelease(null);
        }
        STATE.setRelease(this, how);
    }

    void requireNotUnderWay()
    {
        if (!isDone())
        {
            throw new IllegalStateException("the request was started and is not done: await it first");
        }
    }

    /** Marks the request as begun: the engine executes it. Called with the lock held. */
    void begun()
    {
        STATE.setRelease(this, State.BEGUN);
    }

    /**
     * Marks the request as done after a blocking run. Called with the lock held. Needs no volatile write as in {@link
     * #end}: a thread that concurrently requests the future registers the future with the {@link ProgressThread}, which
     * completes it.
     */
    void ran()
    {
        failure = null;
        STATE.setRelease(this, State.DONE);
        completeFuture();
    }

    /** Marks the request as done, failed or cancelled. Called with the lock held. */
    void end(final State how, final RuntimeException why)
    {
        failure = why;
        // A volatile write: a thread that requests the future concurrently sees this state, or its future is seen here.
        state = how;
        if (!isPersistent)
        {
            useBuffers(-1);
        }
        completeFuture();
    }

    /**
     * Completes the future if there is one and the request is done; idempotent. Dependent stages must not run here,
     * where this thread may hold the lock.
     */
    void completeFuture()
    {
        final CompletableFuture<Void> waiting = future.get();
        if (waiting == null)
        {
            return;
        }
        switch (state)
        {
            case DONE -> session.progress().complete(waiting, null);
            case CANCELLED -> session.progress().complete(waiting, cancelled());
            case FAILED, CLOSED ->
            {
                final RuntimeException why = failure;
                session.progress().complete(waiting, why == null ? null : Failures.again(why));
            }
            default ->
            {
                // The request is active, possibly restarted.
            }
        }
    }

    @Override
    public void start()
    {
        session.requests().start(this);
    }

    /**
     * {@inheritDoc} Holds the session's lock throughout: no other call can come in between, and no other thread waits
     * for the request.
     */
    @Override
    public void run()
    {
        requireNotUnderWay();
        session.requests().run(this);
    }

    @Override
    public boolean isDone()
    {
        final State now = state;
        return now != State.STARTED && now != State.BEGUN;
    }

    @Override
    public boolean test()
    {
        if (!isDone())
        {
            session.requests().test();
        }
        return isDone() && succeeded();
    }

    @Override
    public void await()
    {
        if (!isDone())
        {
            session.requests().await(this, timeoutNs);
        }
        succeeded();
    }

    /** As {@link #await()}, with a deadline shared by several requests, measured from {@code startNs}. */
    public void await(final long startNs)
    {
        if (!isDone())
        {
            session.requests().await(this, timeoutNs, startNs);
        }
        succeeded();
    }

    /** Returns true, or throws the failure. */
    private boolean succeeded()
    {
        switch (state)
        {
            case FAILED, CANCELLED -> throw problem();
            case IDLE -> throw new IllegalStateException("the request was not started: call start() first");
            default ->
            {
                return true;
            }
        }
    }

    private static CancellationException cancelled()
    {
        return new CancellationException("the request was cancelled");
    }

    private RuntimeException problem()
    {
        return state == State.CANCELLED ? cancelled() : Failures.again(requireNonNull(failure));
    }

    @Override
    public boolean cancel()
    {
        return session.requests().cancel(this);
    }

    @Override
    public CompletableFuture<Void> toFuture()
    {
        if (state == State.IDLE || state == State.CLOSED)
        {
            throw new IllegalStateException(
                state == State.IDLE ? "the request was not started: call start() first" : "the request is closed");
        }
        CompletableFuture<Void> result = future.get();
        if (result == null)
        {
            final CompletableFuture<Void> made = new CompletableFuture<>();
            result = future.compareAndExchange(null, made);
            if (result == null)
            {
                result = made;
                session.progress().watch(session, this, made, timeoutNs);
                completeFuture();
            }
        }
        return result;
    }

    @Override
    public void close()
    {
        session.acquire(timeoutNs);
        try
        {
            if (!isDone())
            {
                throw new IllegalStateException("the request was started and is not done: await it first");
            }
            if (isPersistent && state != State.CLOSED)
            {
                state = State.CLOSED;
                useBuffers(-1);
            }
        }
        finally
        {
            session.leave();
        }
    }
}
