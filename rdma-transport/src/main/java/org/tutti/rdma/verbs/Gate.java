/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.os.Membarrier;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that admits one thread at a time to a native object, and none once the lock is closed, so that no call reaches
 * a freed object. The native libraries take a lock per call anyway, so no concurrency is lost. Not reentrant; allocates
 * nothing.
 * <p>
 * Most queues are used by one thread. The first thread that enters becomes the owner, which enters and exits by two
 * plain stores and a load, without an atomic instruction: it sets a flag that it is inside, then checks that it is
 * still the owner. Any other thread first revokes the ownership: it sets the mode, issues a memory barrier in all
 * threads ({@link Membarrier}), and waits until the owner is not inside. Either the owner sees the new mode, or the
 * other thread sees that the owner is inside. From then on all threads enter by a compare-and-set. Without kernel
 * support for the barrier, they do so from the start.
 * <p>
 * Java's memory model does not order the owner's store before its load: a compiler barrier is between them, and the
 * processor barrier is issued by the other thread.
 * <p>
 * Dice, Huang, Yang, <i>Asymmetric Dekker Synchronization</i>, Sun Microsystems, 2001; Russell and Detlefs,
 * <i>Eliminating Synchronization-Related Atomic Operations with Biased Locking and Bulk Rebiasing</i>, OOPSLA 2006,
 * doi:10.1145/1167473.1167496.
 */
final class Gate
{
    /** States of the compare-and-set word. */
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int CLOSED = 2;

    /** Modes of entering; a gate passes through some of them, in this order. */
    private static final int UNOWNED = 0;
    private static final int OWNED = 1;
    private static final int SHARED = 2;

    private static final int SPINS = 100;
    private static final VarHandle LOCK = handle("lock", int.class);
    private static final VarHandle MODE = handle("mode", int.class);
    private static final VarHandle IS_OWNER_INSIDE = handle("isOwnerInside", boolean.class);

    private volatile int lock;
    private volatile int mode;
    private volatile boolean isOwnerInside;
    /**
     * A plain field: a thread finds itself here only if it has stored itself, and stale references to other threads are
     * harmless.
     */
    private Thread owner;

    Gate()
    {
        mode = Membarrier.isAvailable() ? UNOWNED : SHARED;
    }

    /**
     * Enters the gate, after waiting until no other thread is inside.
     *
     * @return true if this thread entered and must {@link #exit()}; false if the gate is closed.
     */
    boolean enter()
    {
        return enterAsOwner() || (mode != SHARED && becomeOwner()) || take(TAKEN);
    }

    /**
     * As {@link #enter}, for rare operations: does not make this thread the owner, because the owner should be the most
     * frequent caller.
     *
     * @return true if this thread entered and must {@link #exit()}; false if the gate is closed.
     */
    boolean enterRarely()
    {
        return enterAsOwner() || take(TAKEN);
    }

    private boolean enterAsOwner()
    {
        if (owner != Thread.currentThread())
        {
            return false;
        }
        IS_OWNER_INSIDE.setOpaque(this, true);
        // The fences are no instructions, at least on x86; they keep compilers from reordering the store and the load.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if ((int)MODE.getOpaque(this) == OWNED)
        {
            return true;
        }
        IS_OWNER_INSIDE.setRelease(this, false);
        return false;
    }

    /** Makes this thread the owner if there is none. */
    private boolean becomeOwner()
    {
        if (mode != UNOWNED || !acquireLock(TAKEN))
        {
            return false;
        }
        final boolean isOwner = mode == UNOWNED;
        if (isOwner)
        {
            owner = Thread.currentThread();
            isOwnerInside = true;
            mode = OWNED;
        }
        LOCK.setRelease(this, FREE);
        return isOwner;
    }

    /** Enters by compare-and-set; if there is an owner, revokes the ownership. */
    private boolean take(final int next)
    {
        if (!acquireLock(next == CLOSED ? TAKEN : next))
        {
            return false;
        }
        if (mode == OWNED)
        {
            revoke();
        }
        if (next == CLOSED)
        {
            mode = SHARED;
            lock = CLOSED;
        }
        return true;
    }

    /** Ends the ownership, and waits until the owner is not inside; the caller holds the compare-and-set word. */
    private void revoke()
    {
        mode = SHARED;
        if (owner == Thread.currentThread())
        {
            return;
        }
        Membarrier.passInAllThreads();
        for (int attempt = 1; isOwnerInside; attempt++)
        {
            pause(attempt);
        }
        owner = null;
    }

    private boolean acquireLock(final int next)
    {
        for (int attempt = 1; !LOCK.compareAndSet(this, FREE, next); attempt++)
        {
            if (lock == CLOSED)
            {
                return false;
            }
            pause(attempt);
        }
        return true;
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(final int attempt)
    {
        if (attempt < SPINS)
        {
            Thread.onSpinWait();
        }
        else
        {
            Thread.yield();
        }
    }

    void exit()
    {
        if (owner == Thread.currentThread() && (boolean)IS_OWNER_INSIDE.getOpaque(this))
        {
            IS_OWNER_INSIDE.setRelease(this, false);
        }
        else
        {
            LOCK.setRelease(this, FREE);
        }
    }

    /**
     * Closes the gate; after this returns, no thread is inside or can enter.
     *
     * @return false if it was already closed.
     */
    boolean close()
    {
        return take(CLOSED);
    }

    boolean isClosed()
    {
        return lock == CLOSED;
    }

    private static VarHandle handle(final String field, final Class<?> type)
    {
        try
        {
            return MethodHandles.lookup().findVarHandle(Gate.class, field, type);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }
}
