/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The socket that the peers of a context connect to. Used by the poller's thread only, once created. */
final class ListeningSocket
{
    private static final int BACKLOG = 256;
    private static final long PAUSE_NS = 10_000_000L;

    private final ServerSocketChannel server;
    private final SelectionKey key;
    private final int port;
    private boolean isPaused;
    private long pausedSinceNs;

    /**
     * Listens on the address of a device, at its port.
     *
     * @param device   device.
     * @param selector selector of the poller's thread; the key has this object as attachment.
     * @throws RdmaException with ENODEV if the address cannot be used.
     */
    ListeningSocket(final TcpDevice device, final Selector selector)
    {
        ServerSocketChannel channel = null;
        try
        {
            channel = ServerSocketChannel.open();
            Sockets.setReceiveBuffer(channel, device.options());
            channel.bind(new InetSocketAddress(device.address(), device.port()), BACKLOG);
            Sockets.setKernelOptions(channel, device.options());
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_ACCEPT, this);
            port = ((InetSocketAddress)channel.getLocalAddress()).getPort();
            server = channel;
        }
        catch (final IOException e)
        {
            Sockets.close(channel);
            throw new RdmaException(Errno.ENODEV, "ibv_open_device",
                "cannot listen on " + device.address().getHostAddress() + " of " + device.name() +
                (device.port() == 0 ? "" : ", port " + device.port()) + ": " + e);
        }
    }

    int port()
    {
        return port;
    }

    /**
     * Accepts all connections that wait.
     *
     * @param handshakes begins a handshake for each of them.
     */
    void accept(final Handshakes handshakes)
    {
        try
        {
            for (SocketChannel channel = server.accept(); channel != null; channel = server.accept())
            {
                handshakes.accept(channel);
            }
        }
        catch (final IOException e)
        {
            // Most likely the process has no descriptor left. The connection stays in the backlog, so that the selector
            // would report it again at once.
            isPaused = true;
            pausedSinceNs = System.nanoTime();
            if (key.isValid())
            {
                key.interestOps(0);
            }
        }
    }

    /**
     * Accepts again after a failure some time ago.
     *
     * @param nowNs time by {@link System#nanoTime}.
     * @throws ClosedChannelException if the socket is closed.
     */
    void advance(final long nowNs) throws ClosedChannelException
    {
        if (!server.isOpen())
        {
            throw new ClosedChannelException();
        }
        if (isPaused && delayNs(nowNs) <= 0)
        {
            isPaused = false;
            key.interestOps(SelectionKey.OP_ACCEPT);
        }
    }

    /**
     * The time until {@link #advance} has something to do.
     *
     * @param nowNs time by {@link System#nanoTime}.
     * @return delay in nanoseconds; {@link Long#MAX_VALUE} for none.
     */
    long delayNs(final long nowNs)
    {
        return isPaused ? pausedSinceNs + PAUSE_NS - nowNs : Long.MAX_VALUE;
    }

    void close()
    {
        Sockets.close(server);
    }
}
