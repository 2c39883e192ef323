/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A spin lock between the threads of one process, as in libibverbs' providers. It is a heap object and not next to the
 * native memory that it guards, which may be freed and reused before the next thread acquires the lock. Not reentrant.
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

    /** Accessed by a {@code VarHandle} only. */
    @SuppressWarnings("UnusedVariable")
    private int isLocked;

    /** Acquires the lock; spins, then yields, until it is free. */
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
     * Acquires the lock if it is free.
     *
     * @return true if acquired.
     */
    public boolean tryLock()
    {
        return IS_LOCKED.compareAndSet(this, 0, 1);
    }

    /** Releases the lock; the caller holds it. */
    public void unlock()
    {
        IS_LOCKED.setRelease(this, 0);
    }
}
