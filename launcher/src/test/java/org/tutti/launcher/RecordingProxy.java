/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Forwards TCP connections to a port of this host, records what both ends send, and can reset the connections. */
final class RecordingProxy implements AutoCloseable
{
    private static final int BUFFER_LENGTH = 1 << 14;

    private final ServerSocket server;
    private final int target;
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();
    private final List<Socket> sockets = new ArrayList<>();

    RecordingProxy(final int target) throws IOException
    {
        this.target = target;
        server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port()
    {
        return server.getLocalPort();
    }

    /** Returns all bytes that both ends have sent so far, one character each. */
    String recorded()
    {
        return recorded.toString(StandardCharsets.ISO_8859_1);
    }

    private void accept()
    {
        while (!server.isClosed())
        {
            try
            {
                final Socket from = server.accept();
                add(from);
                try
                {
                    final Socket to = new Socket(server.getInetAddress(), target);
                    add(to);
                    Thread.ofVirtual().start(() -> forward(from, to));
                    Thread.ofVirtual().start(() -> forward(to, from));
                }
                catch (final IOException ex)
                {
                    // Nothing listens there yet.
                    from.close();
                }
            }
            catch (final IOException ex)
            {
                // Closed.
                return;
            }
        }
    }

    private void add(final Socket socket)
    {
        synchronized (sockets)
        {
            sockets.add(socket);
        }
    }

    private void forward(final Socket from, final Socket to)
    {
        final byte[] buffer = new byte[BUFFER_LENGTH];
        try
        {
            final InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer))
            {
                recorded.write(buffer, 0, count);
                to.getOutputStream().write(buffer, 0, count);
            }
            to.shutdownOutput();
        }
        catch (final IOException ex)
        {
            // The other direction ends as well.
            return;
        }
    }

    /** Resets all connections. */
    void reset()
    {
        synchronized (sockets)
        {
            for (final Socket socket : sockets)
            {
                try
                {
                    if (!socket.isClosed())
                    {
                        socket.setSoLinger(true, 0);
                        socket.close();
                    }
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            }
            sockets.clear();
        }
    }

    @Override
    public void close() throws IOException
    {
        server.close();
        synchronized (sockets)
        {
            for (final Socket socket : sockets)
            {
                socket.close();
            }
        }
    }
}
