/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.disni.cm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;

/**
 * Both roles of rping. For each ping, the client sends the location of its text; the server reads the text, and
 * confirms; the client sends the location to write the text back to; the server writes it, and confirms. All messages
 * are {@link RpingMessage}s; the client ignores the content of the server's messages.
 */
public final class Rping implements Function<Map<String, String>, String>
{
    private static final int FIRST_CHARACTER = 65;
    private static final int LAST_CHARACTER = 122;

    /** Called by {@link org.tutti.rdma.disni.DisniProvider} by reflection. */
    public Rping()
    {
    }

    @Override
    public String apply(final Map<String, String> settings)
    {
        final InetSocketAddress address =
            new InetSocketAddress(settings.get("address"), Integer.parseInt(settings.get("port")));
        final int size = Integer.parseInt(settings.get("size"));
        final long timeoutNs = Integer.parseInt(settings.get("timeout")) * 1_000_000_000L;
        try
        {
            return settings.get("role").equals("client") ?
                call(address, size, Integer.parseInt(settings.get("count")), timeoutNs) :
                serve(address, size, timeoutNs);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException(
                "rping " + address.getHostString() + ":" + address.getPort() + ": " + e.getMessage(), e);
        }
    }

    private static String call(
        final InetSocketAddress address, final int size, final int count, final long timeoutNs) throws IOException
    {
        try (RpingConnection connection = RpingConnection.connect(address, size, timeoutNs))
        {
            for (int ping = 0; ping < count; ping++)
            {
                final byte[] text = text(ping, size);
                connection.data().clear().put(text);
                connection.sendData(size);
                connection.awaitMessage();
                connection.data().clear().put(new byte[size]);
                connection.sendData(size);
                connection.awaitMessage();
                final byte[] back = new byte[size];
                connection.data().clear().get(back);
                if (!Arrays.equals(text, back))
                {
                    throw new IOException("ping " + ping + " came back with different data");
                }
            }
            return "rping client: " + count + " pings of " + size + " bytes, all intact";
        }
    }

    /**
     * Text of a ping as in rping: the number of the ping, then consecutive characters, of which the first advances with
     * each ping.
     */
    private static byte[] text(final int ping, final int size)
    {
        final byte[] text = new byte[size];
        final byte[] head = ("rdma-ping-" + ping + ": ").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(head, 0, text, 0, Math.min(head.length, size));
        int character = FIRST_CHARACTER + ping % (LAST_CHARACTER - FIRST_CHARACTER + 1);
        for (int i = head.length; i < size - 1; i++)
        {
            text[i] = (byte)character;
            character = character == LAST_CHARACTER ? FIRST_CHARACTER : character + 1;
        }
        return text;
    }

    private static String serve(final InetSocketAddress address, final int size, final long timeoutNs)
        throws IOException
    {
        int pings = 0;
        int longest = 0;
        try (RpingConnection connection = RpingConnection.accept(address, size, timeoutNs))
        {
            while (connection.awaitMessage())
            {
                final int length = connection.message().size();
                connection.read(length);
                connection.sendData(length);
                if (!connection.awaitMessage())
                {
                    break;
                }
                connection.write(connection.message().size());
                connection.sendData(length);
                pings++;
                longest = Math.max(longest, length);
            }
        }
        return "rping server: " + pings + " pings of " + longest + " bytes, until the client disconnected";
    }
}
