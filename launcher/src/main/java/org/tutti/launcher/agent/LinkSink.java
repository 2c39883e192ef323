/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.io.OutputSink;

/**
 * Sends the output of an agent's ranks to the launcher. At most {@link #WINDOW} bytes are in flight, so that a slow
 * reader blocks the ranks, but not other messages between agent and launcher.
 */
final class LinkSink implements OutputSink
{
    /** Maximum number of bytes in flight: enough to saturate a fast network, in little memory. */
    private static final int WINDOW = 1 << 20;

    private final StreamLink link;
    private long inFlight;
    private boolean isLost;

    LinkSink(final StreamLink link)
    {
        this.link = link;
    }

    @Override
    public void write(final int rank, final boolean isError, final byte[] bytes, final int offset, final int length)
        throws IOException
    {
        final byte[] lines = new byte[length];
        System.arraycopy(bytes, offset, lines, 0, length);
        try
        {
            synchronized (this)
            {
                // Lines are never split: one that is longer than the window is sent alone.
                while (!isLost && inFlight > 0 && inFlight + length > WINDOW)
                {
                    wait();
                }
                if (isLost)
                {
                    throw new IOException("");
                }
                inFlight += length;
                link.send(new AgentMessage.Output(rank, isError, lines));
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("", ex);
        }
        catch (final BootstrapException ex)
        {
            throw new IOException("", ex);
        }
    }

    /** Records that the reader took {@code length} more bytes of the output. */
    synchronized void passed(final int length)
    {
        inFlight -= length;
        notifyAll();
    }

    /** Fails all writes from now on, including blocked ones: the launcher no longer reads. */
    synchronized void lose()
    {
        isLost = true;
        notifyAll();
    }

    @Override
    public void close()
    {
        lose();
    }
}
