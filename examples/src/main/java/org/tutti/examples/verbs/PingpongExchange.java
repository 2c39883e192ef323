/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.verbs;

import org.tutti.rdma.Gid;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Address exchange of {@code ibv_rc_pingpong} and its variants: text over TCP.
 * <pre>
 *   client  --> server   its addresses            0000:000000:000000:00000000000000000000000000000000 and a zero byte:
 *   server  --> client   its addresses            LID, QP number, PSN, GID, all hexadecimal
 *   client  --> server   "done" and a zero byte
 * </pre>
 * Each side sends one address; with a shared receive queue always 256, of which the unused ones are all zero. The
 * server has connected its queue pairs before it answers, so the client may send at once.
 */
final class PingpongExchange implements AutoCloseable
{
    /** Number of addresses exchanged with a shared receive queue. */
    static final int MAX_QPS = 256;

    private static final int LENGTH = 52;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);
    private static final HexFormat HEX = HexFormat.of();

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    private PingpongExchange(final Socket socket, final int timeoutMs) throws IOException
    {
        this.socket = socket;
        socket.setSoTimeout(timeoutMs);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    static PingpongExchange accept(final ServerSocket server, final int timeoutMs)
    {
        try
        {
            server.setSoTimeout(timeoutMs);
            return new PingpongExchange(server.accept(), timeoutMs);
        }
        catch (final IOException e)
        {
            throw new ExampleException("no connection to port " + server.getLocalPort() + " (" + e.getMessage() +
                "): start the client, or increase --timeout", e);
        }
    }

    static PingpongExchange over(final Socket socket, final int timeoutMs)
    {
        try
        {
            return new PingpongExchange(socket, timeoutMs);
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    /**
     * Sends addresses.
     *
     * @param mine  addresses of our queue pairs.
     * @param count number of entries to send; those beyond our own are zero.
     */
    void tell(final List<Address> mine, final int count)
    {
        final Address none = new Address(Gid.ZERO, 0, 0, 0, 0);
        try
        {
            for (int i = 0; i < count; i++)
            {
                // An address goes in one write, because the other side expects it in one read.
                out.write(format(i < mine.size() ? mine.get(i) : none));
            }
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    /**
     * Receives addresses.
     *
     * @param count number of entries to receive.
     */
    List<Address> hear(final int count)
    {
        final List<Address> theirs = new ArrayList<>();
        final byte[] text = new byte[LENGTH];
        try
        {
            for (int i = 0; i < count; i++)
            {
                in.readFully(text);
                theirs.add(parse(new String(text, 0, LENGTH - 1, StandardCharsets.US_ASCII)));
            }
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
        return theirs;
    }

    /** Tells the server that the client has received the addresses. */
    void tellDone()
    {
        try
        {
            out.write(DONE);
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    /** Waits until the client has received the addresses. */
    void hearDone()
    {
        try
        {
            in.readFully(new byte[DONE.length]);
        }
        catch (final IOException e)
        {
            throw lost(e);
        }
    }

    static byte[] format(final Address address)
    {
        final String text = String.format("%04x:%06x:%06x:%s\0", address.lid(), address.qpNum(), address.psn(),
            HEX.formatHex(address.gid().bytes()));
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static Address parse(final String text)
    {
        final String[] parts = text.split(":", -1);
        try
        {
            if (parts.length == 4)
            {
                return new Address(Gid.of(HEX.parseHex(parts[3].strip())), Integer.parseInt(parts[0], 16), 0,
                    Integer.parseInt(parts[1], 16), Integer.parseInt(parts[2], 16));
            }
        }
        catch (final IllegalArgumentException e)
        {
            throw new ExampleException(
                "invalid address '" + text + "': run the same type of pingpong on both sides", e);
        }
        throw new ExampleException("invalid address '" + text + "': run the same type of pingpong on both sides");
    }

    @Override
    public void close()
    {
        try
        {
            socket.close();
        }
        catch (final IOException ignored)
        {
            // The socket is unusable anyway.
        }
    }

    private static ExampleException lost(final IOException e)
    {
        return new ExampleException("connection to the other side failed (" + e.getMessage() +
            "): it must be a pingpong of the same type; see its output", e);
    }
}
