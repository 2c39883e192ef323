/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.Channel;
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
     * @throws IOException if the socket is broken.
     */
    static void prepare(final SocketChannel channel) throws IOException
    {
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
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
