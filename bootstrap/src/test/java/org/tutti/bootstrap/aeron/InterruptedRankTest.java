/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.BootstrapInterruptedException;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.RankThreads;

/** Interrupts threads of ranks without a launcher, each with its own media driver. */
@Timeout(120)
class InterruptedRankTest
{
    private final Map<String, String> variables = new HashMap<>(Map.of(
        "WORLD_SIZE", "2",
        "MASTER_ADDR", "127.0.0.1",
        "MASTER_PORT", Integer.toString(UdpPorts.free()),
        "TUTTI_JOB_ID", "interrupted-" + ProcessHandle.current().pid() + "-" + System.nanoTime()));

    private FutureTask<Bootstrap> join(final int rank)
    {
        variables.put("RANK", Integer.toString(rank));
        final JobEnvironment environment = JobEnvironment.read(Map.copyOf(variables));
        return new FutureTask<>(() ->
        {
            try
            {
                return StandaloneRank.join(environment);
            }
            catch (final BootstrapInterruptedException ex)
            {
                assertTrue(Thread.currentThread().isInterrupted());
                throw ex;
            }
        });
    }

    private static Thread start(final FutureTask<?> task)
    {
        final Thread thread = new Thread(task, "joining");
        thread.start();
        return thread;
    }

    private static void interruptWhenWaiting(final Thread thread) throws InterruptedException
    {
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING)
        {
            Thread.sleep(1);
        }
        thread.interrupt();
    }

    private static boolean isWaitingForOthers(final Thread thread)
    {
        return Arrays.stream(thread.getStackTrace())
            .anyMatch((frame) -> frame.getClassName().equals(PendingRequest.class.getName()));
    }

    private static Throwable failure(final FutureTask<?> task)
    {
        return assertThrows(Exception.class, () -> task.get(RankThreads.TIMEOUT_NS, TimeUnit.NANOSECONDS)).getCause();
    }

    @Test
    void shouldEndJoinOnInterruptWhenCoordinatorIsMissing() throws Exception
    {
        final FutureTask<Bootstrap> second = join(1);
        interruptWhenWaiting(start(second));

        final String message =
            assertInstanceOf(BootstrapInterruptedException.class, failure(second)).getMessage();
        assertTrue(message.startsWith("rank 1") && message.contains("thread joining was interrupted"), message);
    }

    /** The thread that joins for the rank ends too, without waiting for the join timeout. */
    @Test
    void shouldEndJoinOnInterruptWhenLauncherIsMissing() throws Exception
    {
        try (JobDirectory directory = JobDirectory.create(variables.get("TUTTI_JOB_ID")))
        {
            variables.putAll(Map.of("RANK", "1", "LOCAL_RANK", "1", "LOCAL_WORLD_SIZE", "2", "TUTTI_SECRET", "hush",
                "TUTTI_JOB_DIR", directory.path().toString()));
            final JobEnvironment environment = JobEnvironment.read(Map.copyOf(variables));
            final Set<Thread> before = Thread.getAllStackTraces().keySet();
            final FutureTask<Bootstrap> second = new FutureTask<>(() -> LaunchedRank.join(environment));
            interruptWhenWaiting(start(second));

            assertInstanceOf(BootstrapInterruptedException.class, failure(second));
            assertEquals(List.of(), Thread.getAllStackTraces().keySet().stream()
                .filter((thread) -> !before.contains(thread)).map(Thread::getName)
                .filter((name) -> name.startsWith("tutti-bootstrap-")).toList());
        }
    }

    @Test
    void shouldNotifyOtherRanksWhenJoinIsInterrupted() throws Exception
    {
        variables.put("WORLD_SIZE", "3");
        final FutureTask<Bootstrap> first = join(0);
        final FutureTask<Bootstrap> second = join(1);
        start(first);
        final Thread thread = start(second);
        // Interrupted before it joins, it would have only a second to reach the others: too short on a busy host.
        while (!isWaitingForOthers(thread))
        {
            Thread.sleep(1);
        }
        thread.interrupt();

        assertInstanceOf(BootstrapInterruptedException.class, failure(second));
        final String message = assertInstanceOf(BootstrapException.class, failure(first)).getMessage();
        assertTrue(message.contains("rank 1") && message.contains("was interrupted"), message);
    }

    @Test
    void shouldNotifyOtherRanksWhenInterruptedThreadAborts() throws Exception
    {
        final FutureTask<Bootstrap> joinFirst = join(0);
        final FutureTask<Bootstrap> joinSecond = join(1);
        start(joinFirst);
        start(joinSecond);
        try (Bootstrap first = joinFirst.get(); Bootstrap second = joinSecond.get())
        {
            final FutureTask<Void> wait = new FutureTask<>(() ->
            {
                assertThrows(
                    BootstrapInterruptedException.class, () -> second.barrier("never", RankThreads.TIMEOUT_NS));
                second.abort("it was interrupted");
                return null;
            });
            interruptWhenWaiting(start(wait));
            wait.get(RankThreads.TIMEOUT_NS, TimeUnit.NANOSECONDS);

            // A different barrier, as the interrupted thread has arrived at the first one.
            assertThrows(BootstrapException.class, () -> first.barrier("another", RankThreads.TIMEOUT_NS));
            assertNotNull(first.failure());
            assertEquals(1, first.failure().rank());
            assertTrue(first.failure().toString().contains("it was interrupted"), first.failure()::toString);
        }
    }
}
