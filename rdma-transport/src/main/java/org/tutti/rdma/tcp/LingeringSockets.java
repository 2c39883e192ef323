/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The sockets of connections that ended: each is closed once its last bytes are written and the peer has closed its
 * side, for a close before that could discard the reason on its way to the peer. Used by the poller's thread only.
 */
final class LingeringSockets
{
    private static final long LIMIT_NS = 2_000_000_000L;

    private final List<Lingering> sockets = new ArrayList<>();
    private final ByteBuffer discarded = ByteBuffer.allocateDirect(1 << 16);

    /** A connection that ended. */
    private record Lingering(SocketChannel channel, Runnable writer, long startNs)
    {
    }

    boolean isEmpty()
    {
        return sockets.isEmpty();
    }

    /**
     * Takes over a socket.
     *
     * @param key     key of the channel, which gets a new attachment; null or cancelled if there is none any more.
     * @param channel channel of the connection.
     * @param writer writes what is left to write.
     */
    void add(final SelectionKey key, final SocketChannel channel, final Runnable writer)
    {
        if (key == null || !key.isValid())
        {
            Sockets.close(channel);
            return;
        }
        final Lingering ended = new Lingering(channel, writer, System.nanoTime());
        key.attach(ended);
        key.interestOps(0);
        sockets.add(ended);
    }

    /** Writes and reads what is possible now, and closes sockets that are done or late. */
    void advance()
    {
        if (!sockets.isEmpty())
        {
            final long nowNs = System.nanoTime();
            sockets.removeIf((ended) -> isDone(ended, nowNs));
        }
    }

    private boolean isDone(final Lingering ended, final long nowNs)
    {
        if (!isDrained(ended) && nowNs - ended.startNs <= LIMIT_NS)
        {
            return false;
        }
        Sockets.close(ended.channel);
        return true;
    }

    private boolean isDrained(final Lingering ended)
    {
        try
        {
            ended.writer.run();
            int count = 1;
            while (count > 0)
            {
                count = ended.channel.read(discarded.clear());
            }
            return count < 0;
        }
        catch (final IOException e)
        {
            // The peer has closed the connection, too.
            return true;
        }
    }

    /** Writes what can be written now; the sockets are closed by the caller. */
    void finish()
    {
        sockets.forEach((ended) -> ended.writer.run());
    }
}
