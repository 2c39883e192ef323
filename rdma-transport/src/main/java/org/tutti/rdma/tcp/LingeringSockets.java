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
 * The sockets of connections that ended. Each is closed once its last bytes are written and the peer has closed its
 * side: an earlier close could discard the reason on its way to the peer. Used by the poller's thread only.
 */
final class LingeringSockets
{
    private static final long LIMIT_NS = 2_000_000_000L;
    private static final long TICK_NS = 5_000_000L;

    private final List<Lingering> sockets = new ArrayList<>();
    private final ByteBuffer discarded = ByteBuffer.allocateDirect(1 << 16);

    /** A connection that ended. */
    private record Lingering(SocketChannel channel, Runnable writer, long startNs)
    {
    }

    /**
     * The time until {@link #advance} may have something to do.
     *
     * @return delay in nanoseconds; {@link Long#MAX_VALUE} if there is no socket.
     */
    long delayNs()
    {
        return sockets.isEmpty() ? Long.MAX_VALUE : TICK_NS;
    }

    /**
     * Takes over a socket.
     *
     * @param key     key of the channel, which gets a new attachment; null or cancelled if there is none any more.
     * @param channel channel of the connection.
     * @param writer  writes what is left to write.
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
        key.interestOps(SelectionKey.OP_READ);
        sockets.add(ended);
    }

    /**
     * Writes and reads what is possible now, and closes sockets that are done or late.
     *
     * @param nowNs time by {@link System#nanoTime}.
     */
    void advance(final long nowNs)
    {
        sockets.removeIf((ended) -> isDone(ended, nowNs));
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

    /** Writes what can be written now, and closes the sockets. */
    void close()
    {
        for (final Lingering ended : sockets)
        {
            ended.writer.run();
            Sockets.close(ended.channel);
        }
        sockets.clear();
    }
}
