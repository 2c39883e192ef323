/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs actions that an interrupt must not end: the release of resources, and short waits for threads of this process.
 * The interrupt status is cleared while they run, because a thread does not park while it is set; it is restored at the
 * end.
 */
public final class Uninterruptible
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private Uninterruptible()
    {
    }

    /**
     * Runs an action.
     *
     * @param action the action; its exceptions are propagated.
     */
    public static void run(final Runnable action)
    {
        final boolean wasInterrupted = Thread.interrupted();
        try
        {
            action.run();
        }
        finally
        {
            if (wasInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Parks repeatedly until a condition holds.
     *
     * @param condition the condition.
     * @param timeoutNs the maximum wait in nanoseconds, at least 0.
     */
    public static void parkUntil(final BooleanSupplier condition, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        boolean wasInterrupted = false;
        while (!condition.getAsBoolean() && System.nanoTime() - startNs < timeoutNs)
        {
            wasInterrupted |= Thread.interrupted();
            LockSupport.parkNanos(PARK_NS);
        }
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
