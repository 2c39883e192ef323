/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Whose turn it is to use a communicator. A <i>caller</i> makes a call, and another one that comes meanwhile is
 * refused, because nobody could say which of their calls is first. A <i>waiter</i> waits for requests, and gives way to
 * whoever comes. Not reentrant; allocates nothing.
 */
final class Turn
{
    private static final int FREE = 0;
    private static final int CALLER = 1;
    private static final int WAITER = 2;
    private static final int SPINS = 100;
    private static final int YIELDS = 200;
    private static final long PAUSE_NS = 20_000;

    private final AtomicInteger holder = new AtomicInteger();
    private final AtomicInteger wanted = new AtomicInteger();
    /** For people only, so it may be late. */
    private Thread thread;

    /**
     * Takes the turn for a call.
     *
     * @return false when another caller has it.
     */
    boolean take()
    {
        if (holder.compareAndSet(FREE, CALLER) || takeFromWaiters())
        {
            thread = Thread.currentThread();
            return true;
        }
        return false;
    }

    private boolean takeFromWaiters()
    {
        wanted.incrementAndGet();
        try
        {
            for (int attempt = 0;; attempt++)
            {
                final int found = holder.compareAndExchange(FREE, CALLER);
                if (found != WAITER)
                {
                    return found == FREE;
                }
                pause(attempt);
            }
        }
        finally
        {
            wanted.decrementAndGet();
        }
    }

    /**
     * Takes the turn for good: waits even for callers.
     *
     * @param meanwhile run again and again.
     */
    void takeLast(final Runnable meanwhile)
    {
        wanted.incrementAndGet();
        for (int attempt = 0; !holder.compareAndSet(FREE, CALLER); attempt++)
        {
            meanwhile.run();
            pause(attempt);
        }
    }

    /**
     * Takes the turn to wait.
     *
     * @return false when another thread has it, or a caller wants it.
     */
    boolean takeToWait()
    {
        return wanted.get() == 0 && holder.compareAndSet(FREE, WAITER);
    }

    /** Whether a waiter should give the turn back soon. */
    boolean isWanted()
    {
        return wanted.get() != 0;
    }

    void give()
    {
        holder.setRelease(FREE);
    }

    /**
     * The last caller.
     *
     * @return its name, for people.
     */
    String caller()
    {
        final Thread last = thread;
        return last == null ? "?" : last.getName();
    }

    /** One round of waiting for what another thread does: it spins, then yields, then sleeps a little. */
    @SuppressWarnings("ThreadPriorityCheck") // To yield is the point: the other thread may need this core.
    static void pause(final int attempt)
    {
        if (attempt < SPINS)
        {
            Thread.onSpinWait();
        }
        else if (attempt < YIELDS)
        {
            Thread.yield();
        }
        else
        {
            sleep(PAUSE_NS);
        }
    }

    /** Sleeps a little, even a thread that was interrupted: it stays so, which nobody may park with for longer. */
    static void sleep(final long ns)
    {
        final boolean wasInterrupted = Thread.interrupted();
        LockSupport.parkNanos(ns);
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
