/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Waits until a thread of this process sleeps in a system call. */
final class SleepingThread
{
    private static final Path THREADS = Path.of("/proc/self/task");
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(30);

    private SleepingThread()
    {
    }

    /**
     * Returns when the thread sleeps in {@code awaitEvent}; fails if it ends before, or on timeout.
     *
     * @param thread with a unique name of at most 15 letters.
     */
    static void await(final Thread thread) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (!isIn(thread, "awaitEvent") || !isAsleep(thread.getName()))
        {
            if (!thread.isAlive() || System.nanoTime() - startNs > LIMIT_NS)
            {
                throw new AssertionError(thread + " does not sleep: " + List.of(thread.getStackTrace()));
            }
            Thread.sleep(1);
        }
    }

    private static boolean isIn(final Thread thread, final String method)
    {
        return Arrays.stream(thread.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals(method));
    }

    private static boolean isAsleep(final String name)
    {
        try (Stream<Path> threads = Files.list(THREADS))
        {
            return threads.anyMatch(thread -> read(thread.resolve("stat")).contains("(" + name + ") S "));
        }
        catch (final IOException e)
        {
            throw new AssertionError(e);
        }
    }

    /** Returns an empty text for a thread that has ended. */
    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ended)
        {
            return "";
        }
    }
}
