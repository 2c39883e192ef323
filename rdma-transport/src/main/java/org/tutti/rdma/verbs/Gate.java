/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.os.Membarrier;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Lets one thread at a time through to a native object, and none once it is closed: so no call reaches an object that
 * is freed. The libraries below take a lock of their own for each call, so this takes away no concurrency. Not
 * reentrant; allocates nothing.
 * <p>
 * Queues are mostly used by one thread each. The first thread that enters becomes the owner, which comes and goes by
 * two plain stores and a load, without an atomic instruction: it says that it is inside, then looks whether it is the
 * owner still. Any other thread first takes that away: it says so, makes all threads pass a memory barrier
 * ({@link Membarrier}), and waits until the owner is not inside. Either the owner saw what it said, or it sees that the
 * owner is inside. From then on all threads take turns by a compare-and-set. Where the kernel has no such barrier, they
 * do from the start.
 * <p>
 * That the owner's load is not before its store is not something that Java's memory model promises: a barrier for the
 * compiler stands between them, and that for the processor is the other thread's.
 * <p>
 * Dice, Huang, Yang, <i>Asymmetric Dekker Synchronization</i>, Sun Microsystems, 2001; Russell and Detlefs,
 * <i>Eliminating Synchronization-Related Atomic Operations with Biased Locking and Bulk Rebiasing</i>, OOPSLA 2006,
 * doi:10.1145/1167473.1167496.
 */
final class Gate
{
    /** Turns: the compare-and-set. */
    private static final int FREE = 0;
    private static final int TAKEN = 1;
    private static final int CLOSED = 2;

    /** Which threads enter how: of these a gate goes through some, in this order. */
    private static final int UNOWNED = 0;
    private static final int OWNED = 1;
    private static final int SHARED = 2;

    private static final int SPINS = 100;
    private static final VarHandle TURN = handle("turn", int.class);
    private static final VarHandle MODE = handle("mode", int.class);
    private static final VarHandle IS_OWNER_INSIDE = handle("isOwnerInside", boolean.class);

    private volatile int turn;
    private volatile int mode;
    private volatile boolean isOwnerInside;
    /** A thread that reads itself here has written it; what others read does not matter. */
    private Thread owner;

    Gate()
    {
        mode = Membarrier.isAvailable() ? UNOWNED : SHARED;
    }

    /**
     * Waits until no other thread is inside.
     *
     * @return true when this thread is, and has to {@link #exit()}; false when it is closed.
     */
    boolean enter()
    {
        return enterAsOwner() || (mode != SHARED && own()) || take(TAKEN);
    }

    /**
     * As {@link #enter}, for what is done seldom: the thread that does it is not likely to be the one that calls the
     * most, and does not become the owner.
     *
     * @return as of enter.
     */
    boolean enterSeldom()
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
        // No instruction, on x86 at least; but the compilers move neither the store nor the load across it.
        VarHandle.releaseFence();
        VarHandle.acquireFence();
        if ((int)MODE.getOpaque(this) == OWNED)
        {
            return true;
        }
        IS_OWNER_INSIDE.setRelease(this, false);
        return false;
    }

    /** Becomes the owner of a gate that has none. */
    private boolean own()
    {
        if (mode != UNOWNED || !takeTurn(TAKEN))
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
        TURN.setRelease(this, FREE);
        return isOwner;
    }

    /** Takes a turn when no thread can enter without one. */
    private boolean take(final int next)
    {
        if (!takeTurn(next == CLOSED ? TAKEN : next))
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
            turn = CLOSED;
        }
        return true;
    }

    /** Waits until there is no owner inside, and never will be; the caller has the turn. */
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

    private boolean takeTurn(final int next)
    {
        for (int attempt = 1; !TURN.compareAndSet(this, FREE, next); attempt++)
        {
            if (turn == CLOSED)
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
            TURN.setRelease(this, FREE);
        }
    }

    /**
     * Lets no thread in any more; when it returns, none is inside.
     *
     * @return false when it was closed before.
     */
    boolean close()
    {
        return take(CLOSED);
    }

    boolean isClosed()
    {
        return turn == CLOSED;
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
