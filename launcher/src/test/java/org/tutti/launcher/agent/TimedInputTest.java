/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;

import org.junit.jupiter.api.Test;

class TimedInputTest
{
    private static final int BYTE = 7;

    @Test
    void shouldLimitAllReadsTogether() throws Exception
    {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            Socket one = new Socket(server.getInetAddress(), server.getLocalPort());
            Socket other = server.accept())
        {
            final Thread writer = Thread.ofVirtual().start(() -> writeSlowly(other));
            final TimedInput input = new TimedInput(one, 200);

            // Each read alone is short.
            assertThrows(SocketTimeoutException.class, () -> readForever(input));

            input.limit(0);
            assertEquals(BYTE, input.read());
            writer.interrupt();
            writer.join();
        }
    }

    private static void readForever(final TimedInput input) throws IOException
    {
        while (true)
        {
            assertEquals(BYTE, input.read());
        }
    }

    private static void writeSlowly(final Socket socket)
    {
        try
        {
            while (true)
            {
                socket.getOutputStream().write(BYTE);
                Thread.sleep(10);
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            // The test has ended.
            return;
        }
    }
}
