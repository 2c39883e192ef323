/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.wireup.PooledDataBuffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A put, get or signal that was started. It holds its buffer until it has completed or failed. */
final class WindowRequest extends AbstractWindowRequest
{
    private static final int IN_FLIGHT = 0;
    private static final int DONE = 1;
    private static final int ABANDONED = 2;
    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(WindowRequest.class, "state", int.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The next request on the same path. */
    WindowRequest next;

    private final LocalWindow window;
    private final WindowPath path;
    private final PooledDataBuffer buffer;
    private long ordinal;
    private volatile int state;

    /**
     * Creates a request for an operation that is about to start.
     *
     * @param window       local part of the window.
     * @param path      path to the rank.
     * @param buffer    local buffer, or null.
     * @param timeoutNs maximum duration, in nanoseconds.
     */
    WindowRequest(final LocalWindow window, final WindowPath path, final PooledDataBuffer buffer, final long timeoutNs)
    {
        super(timeoutNs);
        this.window = window;
        this.path = path;
        this.buffer = buffer;
        use(1);
    }

    private void use(final int change)
    {
        if (buffer != null)
        {
            buffer.use(change);
        }
    }

    /** Sets the ordinal of this request's last work request. The caller holds the path lock. */
    void posted(final long as)
    {
        ordinal = as;
    }

    long ordinal()
    {
        return ordinal;
    }

    /** Completes the request. */
    void end()
    {
        leave(DONE);
    }

    /** Abandons the request, which will not complete. */
    void abandon()
    {
        leave(ABANDONED);
    }

    private void leave(final int as)
    {
        if (STATE.compareAndSet(this, IN_FLIGHT, as))
        {
            use(-1);
        }
    }

    @Override
    public boolean test()
    {
        abandonIfFailed();
        if (state == IN_FLIGHT)
        {
            path.advance();
        }
        return isSuccess();
    }

    @Override
    public void await()
    {
        abandonIfFailed();
        if (state == IN_FLIGHT)
        {
            try
            {
                path.await(this, timeoutNs());
                // The polling thread may not have completed this request yet.
                end();
            }
            finally
            {
                abandonIfFailed();
            }
        }
        isSuccess();
    }

    /** Abandons the request if the window has failed; this releases the request's buffer. */
    private void abandonIfFailed()
    {
        if (window.failure() != null)
        {
            abandon();
        }
    }

    private boolean isSuccess()
    {
        if (state == ABANDONED)
        {
            throw window.problem();
        }
        return state == DONE;
    }

    @Override
    public boolean isDone()
    {
        return state != IN_FLIGHT || window.failure() != null;
    }

    /** Returns false: the operation has started. */
    @Override
    public boolean cancel()
    {
        return false;
    }
}
