/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.suite;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Handler of Ctrl-C and other signals that end this process: it ends the running program, and the JVM waits until
 * partial results have been written. The exit code is 128 plus the signal's number, as shells expect.
 */
final class ShutdownHandler implements AutoCloseable
{
    private static final int GRACE_S = 5;
    private static final int SOON_S = 1;
    private static final int WRITING_S = 30;

    private final CountDownLatch isWritten = new CountDownLatch(1);
    private final Thread hook = new Thread(this::onEnd, "bench-stop");
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile Process current;

    /** Installs the handler until it is closed. */
    static ShutdownHandler install()
    {
        final ShutdownHandler stop = new ShutdownHandler();
        Runtime.getRuntime().addShutdownHook(stop.hook);
        return stop;
    }

    /** Whether this process is to exit. */
    boolean isAsked()
    {
        return asked.getCount() == 0;
    }

    /**
     * Whether this process is to exit; waits for up to a second, because a signal may reach the child process first.
     */
    boolean isAskedSoon() throws InterruptedException
    {
        return asked.await(SOON_S, TimeUnit.SECONDS);
    }

    /**
     * Registers the running program, or null for none. The program is ended when this process is to exit: at once, if
     * the exit has already been requested.
     */
    void watch(final Process process)
    {
        current = process;
        if (isAsked() && process != null)
        {
            end(process);
        }
    }

    /** Asks a program to end, so that a launcher can end its ranks; kills its remaining processes after 5 seconds. */
    static void end(final Process process)
    {
        if (!process.isAlive())
        {
            return;
        }
        final List<ProcessHandle> all = Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
        process.destroy();
        try
        {
            process.waitFor(GRACE_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    private void onEnd()
    {
        asked.countDown();
        final Process process = current;
        if (process != null)
        {
            end(process);
        }
        try
        {
            isWritten.await(WRITING_S, TimeUnit.SECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close()
    {
        isWritten.countDown();
        if (!isAsked())
        {
            try
            {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
            catch (final IllegalStateException ex)
            {
                // The JVM is already shutting down, which is a request to exit.
                asked.countDown();
            }
        }
    }
}
