/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.io.OutputSink;

/**
 * Sends the output of an agent's ranks to the launcher. At most {@link #WINDOW} bytes are under way: ranks wait for the
 * reader of their output, and other messages between agent and launcher do not wait behind it.
 */
final class LinkSink implements OutputSink
{
    /** Enough to keep a fast network busy, in little memory. */
    private static final int WINDOW = 1 << 20;

    private final StreamLink link;
    private long underWay;
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
                // Lines stay together, however long: one that is longer than the window goes alone.
                while (!isLost && underWay > 0 && underWay + length > WINDOW)
                {
                    wait();
                }
                if (isLost)
                {
                    throw new IOException("");
                }
                underWay += length;
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

    /** Notes that more of the output was read, by its length in bytes. */
    synchronized void passed(final int length)
    {
        underWay -= length;
        notifyAll();
    }

    /** Fails all writes from now on, those that wait included: the launcher reads no more. */
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
