/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.wireup.PooledDataBuffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A put, get or signal that was started. It holds its buffer until it is done, or has failed. */
final class WindowRequest extends WindowTask
{
    private static final int UNDER_WAY = 0;
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

    /** The next one on the same path. */
    WindowRequest next;

    private final LocalWindow end;
    private final WindowPath path;
    private final PooledDataBuffer buffer;
    private long ordinal;
    private volatile int state;

    /**
     * Of something that is about to be started.
     *
     * @param end       end of the window.
     * @param path      path.
     * @param buffer    buffer, or null.
     * @param timeoutNs maximum duration, in nanoseconds.
     */
    WindowRequest(final LocalWindow end, final WindowPath path, final PooledDataBuffer buffer, final long timeoutNs)
    {
        super(timeoutNs);
        this.end = end;
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

    /** It was posted, as this one of its path. With the path's turn. */
    void posted(final long as)
    {
        ordinal = as;
    }

    long ordinal()
    {
        return ordinal;
    }

    /** It is done. */
    void end()
    {
        leave(DONE);
    }

    /** It will not get done any more. */
    void abandon()
    {
        leave(ABANDONED);
    }

    private void leave(final int as)
    {
        if (STATE.compareAndSet(this, UNDER_WAY, as))
        {
            use(-1);
        }
    }

    @Override
    public boolean test()
    {
        abandonIfFailed();
        if (state == UNDER_WAY)
        {
            path.advance();
        }
        return isSuccess();
    }

    @Override
    public void await()
    {
        abandonIfFailed();
        if (state == UNDER_WAY)
        {
            try
            {
                path.await(this, timeoutNs());
                // Whoever polled may not have come to say so.
                end();
            }
            finally
            {
                abandonIfFailed();
            }
        }
        isSuccess();
    }

    /** After a failure it does not get done any more, and its buffer is free. */
    private void abandonIfFailed()
    {
        if (end.failure() != null)
        {
            abandon();
        }
    }

    private boolean isSuccess()
    {
        if (state == ABANDONED)
        {
            throw end.problem();
        }
        return state == DONE;
    }

    @Override
    public boolean isDone()
    {
        return state != UNDER_WAY || end.failure() != null;
    }

    /** It has begun. */
    @Override
    public boolean cancel()
    {
        return false;
    }
}
