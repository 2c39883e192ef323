/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.FutureTask;

/** A thread that is seen to wait, by its stack. */
final class WaitingThread
{
    /** Where threads wait for other ranks, or for other threads of their rank. */
    private static final Set<String> WAITS = Set.of(
        "org.tutti.collectives.engine.Waiter.idle", "org.tutti.collectives.engine.Backoff.pause",
        "org.tutti.collectives.engine.Turn.pause", "org.tutti.bootstrap.InMemoryBootstrap.ask",
        "org.tutti.bootstrap.aeron.Pending.park", "java.util.concurrent.FutureTask.awaitDone",
        "java.util.concurrent.CompletableFuture.waitingGet");

    private WaitingThread()
    {
    }

    /** Returns when the thread waits; fails if it ends before. */
    static void await(final Thread thread) throws InterruptedException
    {
        while (!waits(thread))
        {
            if (!thread.isAlive())
            {
                throw new AssertionError("the thread has ended and did not wait");
            }
            Thread.sleep(1);
        }
    }

    private static boolean waits(final Thread thread)
    {
        return Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> WAITS.contains(frame.getClassName() + '.' + frame.getMethodName()));
    }

    static Thread start(final FutureTask<?> task, final boolean isVirtual)
    {
        return (isVirtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon()).name("waiter").start(task);
    }
}
