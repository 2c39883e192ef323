/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;

import org.tutti.launcher.io.DaemonThread;

/** Writes the launcher's input to the stdin of a rank on another host, on its own thread. */
final class RankInput
{
    private final BlockingQueue<byte[]> parts = new LinkedBlockingQueue<>();
    private final OutputStream stdin;
    private final IntConsumer onPassed;

    /**
     * @param stdin    the stdin of the rank; closed at the end of the input.
     * @param onPassed called with the number of bytes written, or dropped because the rank no longer reads.
     */
    RankInput(final OutputStream stdin, final IntConsumer onPassed)
    {
        this.stdin = stdin;
        this.onPassed = onPassed;
    }

    RankInput start()
    {
        DaemonThread.of("tutti-rank-in", this::run).start();
        return this;
    }

    /** Adds the next bytes; an empty array marks the end. */
    void add(final byte[] bytes)
    {
        parts.add(bytes);
    }

    private void run()
    {
        boolean isRead = true;
        try
        {
            for (byte[] part = parts.take(); part.length > 0; part = parts.take())
            {
                isRead = isRead && write(part);
                onPassed.accept(part.length);
            }
            stdin.close();
        }
        catch (final IOException ex)
        {
            // The rank has already closed its end.
            return;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean write(final byte[] part)
    {
        try
        {
            stdin.write(part);
            stdin.flush();
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
