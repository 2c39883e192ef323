/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;

import org.tutti.launcher.agent.JoinedNode;

/** The connection that a node has opened to this one, the coordinator. */
final class ConnectedNode implements AgentConnection
{
    private final boolean isRestartable;
    private final JoinedNode node;

    ConnectedNode(final JoinedNode node, final boolean isRestartable)
    {
        this.isRestartable = isRestartable;
        this.node = node;
    }

    @Override
    public InputStream input()
    {
        return node.channel().input();
    }

    @Override
    public OutputStream output()
    {
        return node.channel().output();
    }

    @Override
    public InetAddress ownAddress()
    {
        return node.channel().ownAddress();
    }

    @Override
    public void start(final Runnable onEnd)
    {
        // The input ends with the connection.
    }

    @Override
    public boolean awaitEnd(final long timeoutMs) throws InterruptedException
    {
        final boolean hasEnded = node.channel().awaitEnd(timeoutMs);
        if (hasEnded)
        {
            destroy();
        }
        return hasEnded;
    }

    @Override
    public String causeOfEnd(final boolean isGreeted)
    {
        return "node rank " + node.node() + " closed its connection: its launcher has ended" +
            (isRestartable ? "" : ", and cannot be restarted without the other nodes");
    }

    @Override
    public void destroy()
    {
        node.channel().close();
    }
}
