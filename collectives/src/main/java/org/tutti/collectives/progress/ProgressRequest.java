/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.util.Failures;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import static java.util.Objects.requireNonNull;

/**
 * A request that can be started once, or repeatedly if it is persistent. Threads that hold the lock of its owner change
 * its state; any thread may read it.
 */
public abstract class ProgressRequest implements PersistentRequest, TimedRequest
{
    /** State of a request. */
    public enum State
    {
        IDLE, STARTED, BEGUN, DONE, FAILED, CANCELLED, CLOSED
    }

    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(ProgressRequest.class, "state", State.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RequestOwner owner;
    private final long timeoutNs;
    private final boolean isPersistent;
    private final AtomicReference<CompletableFuture<Void>> future = new AtomicReference<>();
    private RuntimeException failure;
    private volatile State state = State.IDLE;

    /**
     * Creates a request that is not started.
     *
     * @param owner        owner of the request.
     * @param timeoutNs    timeout of each wait in nanoseconds.
     * @param isPersistent whether the request keeps its buffers when it is done.
     */
    protected ProgressRequest(final RequestOwner owner, final long timeoutNs, final boolean isPersistent)
    {
        this.owner = owner;
        this.timeoutNs = timeoutNs;
        this.isPersistent = isPersistent;
    }

    /** Protects the buffers from being closed (1), or releases that protection (-1). */
    protected abstract void useBuffers(int change);

    @Override
    public final long timeoutNs()
    {
        return timeoutNs;
    }

    final boolean isBegun()
    {
        return state == State.BEGUN;
    }

    /** Marks the request as started. Called with the lock held, before the request is queued. */
    public final void started()
    {
        starts(State.STARTED);
    }

    /**
     * Marks the request as begun by a blocking run. Called with the lock held, before the engine executes the request.
     */
    final void begins()
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

    final void requireNotUnderWay()
    {
        if (!isDone())
        {
            throw new IllegalStateException("the request was started and is not done: await it first");
        }
    }

    /** Marks the request as begun: the engine executes it. Called with the lock held. */
    final void begun()
    {
        STATE.setRelease(this, State.BEGUN);
    }

    /**
     * Marks the request as done after a blocking run. Called with the lock held. Needs no volatile write as in {@link
     * #end}: a thread that concurrently requests the future registers the future with the {@link ProgressThread}, which
     * completes it.
     */
    final void ran()
    {
        failure = null;
        STATE.setRelease(this, State.DONE);
        completeFuture();
    }

    /** Marks the request as done, failed or cancelled. Called with the lock held. */
    public final void end(final State how, final RuntimeException why)
    {
        failure = why;
        if (!isPersistent)
        {
            // Before the state, because a thread that sees the state may close the buffers.
            useBuffers(-1);
        }
        // A volatile write: a thread that requests the future concurrently sees this state, or its future is seen here.
        state = how;
        completeFuture();
    }

    /**
     * Completes the future if there is one and the request is done; idempotent. Dependent stages must not run here,
     * where this thread may hold the lock.
     */
    final void completeFuture()
    {
        final CompletableFuture<Void> waiting = future.get();
        if (waiting == null)
        {
            return;
        }
        switch (state)
        {
            case DONE -> owner.progressThread().complete(waiting, null);
            case CANCELLED -> owner.progressThread().complete(waiting, cancelled());
            case FAILED, CLOSED ->
            {
                final RuntimeException why = failure;
                owner.progressThread().complete(waiting, why == null ? null : Failures.again(why));
            }
            default ->
            {
                // The request is active, possibly restarted.
            }
        }
    }

    @Override
    public final void start()
    {
        owner.start(this);
    }

    @Override
    public final void run()
    {
        requireNotUnderWay();
        owner.run(this);
    }

    @Override
    public final boolean isDone()
    {
        final State now = state;
        return now != State.STARTED && now != State.BEGUN;
    }

    @Override
    public final boolean test()
    {
        if (!isDone())
        {
            owner.test();
        }
        return isDone() && succeeded();
    }

    @Override
    public final void await()
    {
        if (!isDone())
        {
            owner.await(this, timeoutNs, System.nanoTime(), null);
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
    public final boolean cancel()
    {
        return owner.cancel(this);
    }

    @Override
    public final CompletableFuture<Void> toFuture()
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
                owner.progressThread().watch(owner, this, made, timeoutNs);
                completeFuture();
            }
        }
        return result;
    }

    @Override
    public final void close()
    {
        owner.close(this);
    }

    /** Releases the buffers of a request whose start has thrown, unless it has begun. */
    public final void abandon()
    {
        if (state == State.IDLE && !isPersistent)
        {
            end(State.CANCELLED, null);
        }
    }

    /** Frees the buffers of a persistent request. Called with the lock held. */
    public final void closed()
    {
        if (!isDone())
        {
            throw new IllegalStateException("the request was started and is not done: await it first");
        }
        if (isPersistent && state != State.CLOSED)
        {
            useBuffers(-1);
            state = State.CLOSED;
        }
    }
}
