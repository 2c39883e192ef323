/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import org.tutti.collectives.util.Backoff;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The lock of a communicator. A <i>caller</i> makes a call; a second caller is rejected until the call returns, because
 * the order of the two calls would be undefined. A <i>waiter</i> waits for requests, and releases the lock when another
 * thread requests it. Not reentrant; allocates nothing.
 */
public final class CommunicatorLock
{
    /** The result of an attempt to take the lock. */
    public enum Taken
    {
        YES, IN_USE, TIMED_OUT, INTERRUPTED
    }

    private static final int FREE = 0;
    private static final int CALLER = 1;
    private static final int WAITER = 2;
    /** Number of attempts before the clock is read. */
    private static final int BRIEF_ATTEMPTS = 200;
    /**
     * Time within which a caller ends its call when the communicator is closed, unless it runs a user's operator, in
     * nanoseconds.
     */
    private static final long INTERRUPTED_NS = 1_000_000_000;

    private final AtomicInteger holder = new AtomicInteger();
    private final AtomicInteger wanted = new AtomicInteger();
    /** Whether {@link #takeLast} has requested the lock. Used by the closing thread only. */
    private boolean isWantedLast;
    /** The last caller, for messages only; may be stale. */
    private Thread thread;

    /**
     * Takes the lock for a call.
     *
     * @param timeoutNs maximum wait in nanoseconds.
     */
    Taken take(final long timeoutNs)
    {
        final Taken taken = holder.compareAndSet(FREE, CALLER) ? Taken.YES : takeFromWaiters(CALLER, timeoutNs);
        if (taken == Taken.YES)
        {
            caller(Thread.currentThread());
        }
        return taken;
    }

    /**
     * Takes the lock for waiting, even from another waiter.
     *
     * @param timeoutNs maximum wait in nanoseconds.
     */
    public Taken takeToWaitFromWaiters(final long timeoutNs)
    {
        return takeFromWaiters(WAITER, timeoutNs);
    }

    /** Sets the name of the last caller, for messages. */
    @SuppressWarnings("ReferenceEquality") // Storing a reference takes longer than comparing it.
    public void caller(final Thread current)
    {
        if (thread != current)
        {
            thread = current;
        }
    }

    private Taken takeFromWaiters(final int newHolder, final long timeoutNs)
    {
        wanted.incrementAndGet();
        try
        {
            long startNs = 0;
            for (int attempt = 0;; attempt++)
            {
                final int found = holder.compareAndExchange(FREE, newHolder);
                if (found != WAITER)
                {
                    return found == FREE ? Taken.YES : Taken.IN_USE;
                }
                if (attempt >= BRIEF_ATTEMPTS)
                {
                    final long nowNs = System.nanoTime();
                    startNs = startNs == 0 ? nowNs : startNs;
                    if (Thread.currentThread().isInterrupted())
                    {
                        return Taken.INTERRUPTED;
                    }
                    if (nowNs - startNs > timeoutNs)
                    {
                        return Taken.TIMED_OUT;
                    }
                }
                Backoff.FOR_THREADS.pause(attempt);
            }
        }
        finally
        {
            wanted.decrementAndGet();
        }
    }

    /**
     * Takes the lock permanently: waits even for callers. An interrupt shortens the wait to a second.
     *
     * @param deadlineNs deadline by {@link System#nanoTime()}.
     * @param meanwhile  run repeatedly during the wait.
     * @return false if the lock was not free in time: waiters can no longer take it, and this method can be called
     *         again.
     */
    public boolean takeLast(final long deadlineNs, final Runnable meanwhile)
    {
        if (!isWantedLast)
        {
            isWantedLast = true;
            wanted.incrementAndGet();
        }
        long untilNs = deadlineNs;
        boolean wasInterrupted = false;
        for (int attempt = 0; !holder.compareAndSet(FREE, CALLER); attempt++)
        {
            final long nowNs = System.nanoTime();
            if (nowNs - untilNs >= 0)
            {
                return false;
            }
            if (!wasInterrupted && Thread.currentThread().isInterrupted())
            {
                wasInterrupted = true;
                untilNs = untilNs - nowNs > INTERRUPTED_NS ? nowNs + INTERRUPTED_NS : untilNs;
            }
            meanwhile.run();
            Backoff.FOR_THREADS.pause(attempt);
        }
        return true;
    }

    /**
     * Takes the lock for waiting.
     *
     * @return false if another thread holds the lock, or a caller requests it.
     */
    public boolean takeToWait()
    {
        return wanted.get() == 0 && holder.compareAndSet(FREE, WAITER);
    }

    /** Whether a waiter should release the lock soon. */
    public boolean isWanted()
    {
        return wanted.get() != 0;
    }

    public void give()
    {
        holder.setRelease(FREE);
    }

    /** Returns the name of the last caller, for messages. */
    public String caller()
    {
        final Thread last = thread;
        return last == null ? "?" : last.getName();
    }
}
