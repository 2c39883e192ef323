/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.IOException;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.io.OutputSink;

/**
 * The output of an agent's ranks, on its way to the launcher. So much may be under way and no more: ranks wait for
 * whoever reads their output, and everything else that agent and launcher tell each other does not wait behind it.
 */
final class LinkSink implements OutputSink
{
    /** As much as keeps a fast network busy, and as little as memory can spare. */
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

    /** So much has arrived at whoever reads it. */
    synchronized void passed(final int length)
    {
        underWay -= length;
        notifyAll();
    }

    /** Nobody reads any more: whoever waits is told. */
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
