/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock between the threads of one process, as libibverbs' providers have. It lies in the heap, not beside what it
 * guards, which may be freed and used for something else when the next thread comes. Not reentrant.
 */
public final class SpinLock
{
    private static final int SPINS = 100;
    private static final VarHandle IS_LOCKED;

    static
    {
        try
        {
            IS_LOCKED = MethodHandles.lookup().findVarHandle(SpinLock.class, "isLocked", int.class);
        }
        catch (final ReflectiveOperationException e)
        {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Used by its handle only. */
    @SuppressWarnings("UnusedVariable")
    private int isLocked;

    /** Takes the lock; spins, then yields, until it is free. */
    @SuppressWarnings("ThreadPriorityCheck")
    public void lock()
    {
        int attempt = 0;
        while (!tryLock())
        {
            if (++attempt < SPINS)
            {
                Thread.onSpinWait();
            }
            else
            {
                Thread.yield();
            }
        }
    }

    /**
     * Takes the lock if it is free.
     *
     * @return whether it was.
     */
    public boolean tryLock()
    {
        return IS_LOCKED.compareAndSet(this, 0, 1);
    }

    /** Releases the lock, which the caller holds. */
    public void unlock()
    {
        IS_LOCKED.setRelease(this, 0);
    }
}
