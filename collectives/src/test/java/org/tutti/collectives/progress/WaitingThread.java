/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.progress;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Detects from its stack that a thread waits. */
public final class WaitingThread
{
    /** Methods in which threads wait for other ranks, or for other threads of their rank. */
    private static final Set<String> WAITS = Set.of(
        "org.tutti.collectives.progress.RankIdleStrategy.idle", "org.tutti.collectives.util.Backoff.pause",
        "org.tutti.collectives.rma.WindowAcceptor.pause",
        "org.tutti.bootstrap.InMemoryBootstrap.ask", "org.tutti.bootstrap.aeron.AeronCoordinator.close",
        "java.util.concurrent.FutureTask.awaitDone", "java.util.concurrent.CompletableFuture.waitingGet");

    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private WaitingThread()
    {
    }

    /**
     * Returns when a thread waits; fails if it ends before, or does not wait within a minute.
     *
     * @param thread  thread expected to wait.
     * @param methods names of methods that must also be on its stack.
     */
    public static void await(final Thread thread, final String... methods) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (!waits(thread, methods))
        {
            if (!thread.isAlive())
            {
                throw new AssertionError("the thread ended without waiting");
            }
            if (System.nanoTime() - startNs > LIMIT_NS)
            {
                throw new AssertionError(
                    "the thread does not wait in " + List.of(methods) + ": " + List.of(thread.getStackTrace()));
            }
            Thread.sleep(1);
        }
    }

    /** Whether a thread waits, with all of these methods on its stack. */
    private static boolean waits(final Thread thread, final String... methods)
    {
        final List<StackTraceElement> frames = List.of(thread.getStackTrace());
        return frames.stream().anyMatch(frame -> WAITS.contains(frame.getClassName() + '.' + frame.getMethodName())) &&
            Arrays.stream(methods).allMatch(
                method -> frames.stream().anyMatch(frame -> frame.getMethodName().equals(method)));
    }

    public static Thread start(final FutureTask<?> task, final boolean isVirtual)
    {
        return (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).name("waiter").start(task);
    }
}
