/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.io.DaemonThread;

/** Forwards the launcher's stdin to a rank on another host, on its own thread. */
public final class InputFeed
{
    private static final int WINDOW = 1 << 18;

    private final StreamLink link;
    private int inFlight;

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
        DaemonThread.of("tutti-stdin", this::run).start();
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
                awaitWindow(count);
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

    private synchronized void awaitWindow(final int length) throws InterruptedException
    {
        while (inFlight + length > WINDOW)
        {
            wait();
        }
        inFlight += length;
    }
}
