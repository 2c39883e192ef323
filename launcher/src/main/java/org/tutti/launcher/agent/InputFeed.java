/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.io.DaemonThread;

/** Forwards the launcher's stdin to a rank on another host, on its own thread. */
public final class InputFeed
{
    private static final int WINDOW = 1 << 18;
    private static final long STOP_TIMEOUT_MS = 1_000;

    private final StreamLink link;
    private final Thread thread = DaemonThread.of("tutti-stdin", this::run);
    private int inFlight;
    private boolean isStopped;

    /**
     * Creates a feed that reads nothing until it is started.
     *
     * @param link the link to the agent of the rank's host.
     */
    public InputFeed(final StreamLink link)
    {
        this.link = link;
    }

    /** Starts reading. */
    public void start()
    {
        thread.start();
    }

    /**
     * Stops reading. On return, no more is read of a file; a read of a pipe or a terminal may still take what arrives
     * next.
     *
     * @throws InterruptedException if the thread is interrupted.
     */
    public void stop() throws InterruptedException
    {
        synchronized (this)
        {
            isStopped = true;
            notifyAll();
        }
        if (Files.isRegularFile(Path.of("/proc/self/fd/0")))
        {
            thread.join(STOP_TIMEOUT_MS);
        }
    }

    /**
     * Records that more of the input has reached the rank.
     *
     * @param length the length of that input in bytes.
     */
    public synchronized void passed(final int length)
    {
        inFlight -= length;
        notifyAll();
    }

    @SuppressWarnings("resource") // The process's stdin stays open.
    private void run()
    {
        final InputStream stdin = new FileInputStream(FileDescriptor.in);
        final byte[] buffer = new byte[WINDOW / 4];
        try
        {
            for (int count = read(stdin, buffer); count > 0; count = read(stdin, buffer))
            {
                if (!awaitWindow(count))
                {
                    return;
                }
                link.send(new AgentMessage.Input(Arrays.copyOf(buffer, count)));
            }
            link.send(new AgentMessage.Input(new byte[0]));
        }
        catch (final BootstrapException ex)
        {
            // The host is lost, and the rank with it.
            return;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads from stdin; treats an error, such as of a closed stdin, as end of file. */
    private static int read(final InputStream stdin, final byte[] buffer)
    {
        try
        {
            return stdin.read(buffer);
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    /** Waits until the rank may get more; returns false if the feed was stopped. */
    private synchronized boolean awaitWindow(final int length) throws InterruptedException
    {
        while (inFlight + length > WINDOW && !isStopped)
        {
            wait();
        }
        inFlight += length;
        return !isStopped;
    }
}
