/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets one thread at a time through to a native object, and nobody once it is closed: so no call reaches an object that
 * is freed. The libraries below take a lock of their own for each call, so this takes away no concurrency; without
 * contention it costs one compare-and-set. Not reentrant; allocates nothing.
 */
final class Gate
{
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int CLOSED = 2;
    private static final int SPINS = 100;
    private static final VarHandle STATE;

    static
    {
        try
        {
            STATE = MethodHandles.lookup().findVarHandle(Gate.class, "state", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private volatile int state;

    /**
     * Waits until no other thread is inside.
     *
     * @return true when this thread is, and has to {@link #exit()}; false when it is closed.
     */
    boolean enter()
    {
        return STATE.compareAndSet(this, FREE, TAKEN) || take(TAKEN);
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private boolean take(final int next)
    {
        for (int attempt = 1; !STATE.compareAndSet(this, FREE, next); attempt++)
        {
            if (state == CLOSED)
            {
                return false;
            }
            if (attempt < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
        return true;
    }

    void exit()
    {
        STATE.setRelease(this, FREE);
    }

    /**
     * Lets nobody in any more; when it returns, nobody is inside.
     *
     * @return false when it was closed before.
     */
    boolean close()
    {
        return take(CLOSED);
    }

    boolean isClosed()
    {
        return state == CLOSED;
    }
}
