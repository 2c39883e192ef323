/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/**
 * The input of a socket, with a time limit for all reads together: a limit for each would never end if the other end
 * sent single bytes. For one thread at a time.
 */
final class TimedInput extends InputStream
{
    private final Socket socket;
    private final InputStream in;
    private long startNs;
    private long limitNs;

    /** @param limitMs the limit, as for {@link #limit}. */
    TimedInput(final Socket socket, final long limitMs) throws IOException
    {
        this.socket = socket;
        in = socket.getInputStream();
        limit(limitMs);
    }

    /**
     * Limits the reads that follow.
     *
     * @param limitMs the longest wait of all of them together in milliseconds, from now; 0 for no limit.
     */
    void limit(final long limitMs) throws IOException
    {
        startNs = System.nanoTime();
        limitNs = TimeUnit.MILLISECONDS.toNanos(limitMs);
        if (limitMs == 0)
        {
            socket.setSoTimeout(0);
        }
    }

    private void limitNextRead() throws IOException
    {
        if (limitNs == 0)
        {
            return;
        }
        final long leftMs = TimeUnit.NANOSECONDS.toMillis(limitNs - (System.nanoTime() - startNs));
        if (leftMs <= 0)
        {
            throw new SocketTimeoutException("nothing complete in time");
        }
        socket.setSoTimeout((int)Math.min(leftMs, Integer.MAX_VALUE));
    }

    @Override
    public int read() throws IOException
    {
        limitNextRead();
        return in.read();
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        limitNextRead();
        return in.read(bytes, offset, length);
    }
}
