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

/** Writes the launcher's input to the stdin of a rank on another host, on a thread of its own. */
final class RankInput
{
    private final BlockingQueue<byte[]> pieces = new LinkedBlockingQueue<>();
    private final OutputStream stdin;
    private final IntConsumer onPassed;

    /**
     * @param stdin    the stdin of the rank; closed at the end of the input.
     * @param onPassed called with the number of bytes that were written, or dropped because the rank reads no more.
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

    /** Adds the next bytes; an empty array at the end. */
    void add(final byte[] bytes)
    {
        pieces.add(bytes);
    }

    private void run()
    {
        boolean isRead = true;
        try
        {
            for (byte[] piece = pieces.take(); piece.length > 0; piece = pieces.take())
            {
                isRead = isRead && write(piece);
                onPassed.accept(piece.length);
            }
            stdin.close();
        }
        catch (final IOException ex)
        {
            // The rank has closed its end already.
            return;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean write(final byte[] piece)
    {
        try
        {
            stdin.write(piece);
            stdin.flush();
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
