/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.os.SocketCalls;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;

/** What all sockets of a context have in common. Stateless. */
final class Sockets
{
    private Sockets()
    {
    }

    /**
     * Prepares a socket for a connection.
     *
     * @param channel new channel, non-blocking afterwards.
     * @param options options of the device.
     * @throws IOException if the socket is broken.
     */
    static void prepare(final SocketChannel channel, final TcpOptions options) throws IOException
    {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (options.sendBuffer() > 0)
        {
            channel.setOption(StandardSocketOptions.SO_SNDBUF, options.sendBuffer());
        }
        setReceiveBuffer(channel, options);
    }

    /**
     * Sets the size of the receive buffer, which determines the window scale of connections.
     *
     * @param channel channel that neither listens nor is connected yet, unless it was accepted.
     * @param options options of the device.
     * @throws IOException if the socket is broken.
     */
    static void setReceiveBuffer(final NetworkChannel channel, final TcpOptions options) throws IOException
    {
        if (options.receiveBuffer() > 0)
        {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, options.receiveBuffer());
        }
    }

    /**
     * Sets the options that Java lacks. The sockets that a socket accepts inherit them.
     *
     * @param channel channel that is bound to a port to which no other channel of the process is bound.
     * @param options options of the device.
     * @throws IOException if the kernel refuses one, or {@code /proc} does not show the socket.
     */
    static void setKernelOptions(final NetworkChannel channel, final TcpOptions options) throws IOException
    {
        if (!KernelOptions.needDescriptor(options))
        {
            return;
        }
        final InetSocketAddress address = (InetSocketAddress)channel.getLocalAddress();
        final int fd = SocketCalls.descriptorOf(address);
        final String problem =
            fd < 0 ? "/proc/self/fd has no socket at " + address : KernelOptions.apply(options, fd);
        if (problem != null)
        {
            throw new IOException(problem);
        }
    }

    /**
     * Closes a socket.
     *
     * @param channel channel to close, or null for none.
     */
    static void close(final Channel channel)
    {
        if (channel != null)
        {
            try
            {
                channel.close();
            }
            catch (final IOException ignored)
            {
                // The descriptor is released in any case.
            }
        }
    }
}
