/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.BootstrapException;

class StreamLinkTest
{
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(60);

    /** Records what one end receives: the texts of notices, and the loss of the link. */
    private static final class Received implements AgentHandler
    {
        private final BlockingQueue<String> words = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(final AgentLink link, final AgentMessage message)
        {
            words.add(((AgentMessage.Notice)message).text());
        }

        @Override
        public void onLost(final AgentLink link, final String cause)
        {
            words.add("lost " + cause);
        }

        String next() throws InterruptedException
        {
            return words.poll(LONG_NS, TimeUnit.NANOSECONDS);
        }
    }

    private final Received left = new Received();
    private final Received right = new Received();
    private final PipedOutputStream toRight = new PipedOutputStream();
    private final PipedOutputStream toLeft = new PipedOutputStream();
    private final InputStream fromLeft;
    private final InputStream fromRight;

    StreamLinkTest() throws IOException
    {
        fromLeft = new PipedInputStream(toRight, 1 << 16);
        fromRight = new PipedInputStream(toLeft, 1 << 16);
    }

    @Test
    void shouldExchangeMessagesInOrderAndReportClose() throws InterruptedException
    {
        final StreamLink one = link(fromRight, toRight, LONG_NS, left).start();
        final StreamLink other = link(fromLeft, toLeft, LONG_NS, right).start();
        final String large = "x".repeat(1_000_000);
        one.send(notice(""));
        one.send(notice(large));
        other.send(notice("back"));
        one.close();

        assertEquals("", right.next());
        assertEquals(large, right.next());
        assertEquals("lost null", right.next());
        assertEquals("back", left.next());
        assertEquals("lost null", left.next());
        assertThrows(BootstrapException.class, () -> one.send(notice("")));
        assertThrows(BootstrapException.class, () -> other.send(notice("")));
    }

    @Test
    void shouldSkipShellOutputBeforeGreeting() throws IOException, InterruptedException
    {
        final StreamLink link = link(fromLeft, toLeft, LONG_NS, right);
        write(toRight, "Welcome!\nlast login: yesterday");
        link.start();
        link(fromRight, toRight, LONG_NS, left).start().send(notice("after"));

        assertEquals("after", right.next());
        assertTrue(link.isGreeted());
        assertEquals("Welcome!", link.foreign());
    }

    @Test
    @Tag("torture")
    void shouldKeepIdleLinkAlive() throws InterruptedException
    {
        final StreamLink one = link(fromRight, toRight, TimeUnit.SECONDS.toNanos(2), left).start();
        link(fromLeft, toLeft, TimeUnit.SECONDS.toNanos(2), right).start();

        // Longer than the heartbeat timeout.
        TimeUnit.MILLISECONDS.sleep(3_000);
        assertTrue(left.words.isEmpty(), left.words::toString);
        assertTrue(right.words.isEmpty(), right.words::toString);
        one.close();
        assertEquals("lost null", right.next());
    }

    @Test
    void shouldReportLossWhenHeartbeatsStop() throws IOException, InterruptedException
    {
        link(fromLeft, toLeft, TimeUnit.SECONDS.toNanos(1), right).start();
        write(toRight, "tutti-link " + StreamLink.VERSION + "\n");

        final String cause = right.next();
        assertTrue(cause.matches("lost no heartbeat for [1-9]\\d*\\.\\d s"), cause);
    }

    @Test
    void shouldRejectOtherVersionAndInvalidData() throws IOException, InterruptedException
    {
        final int version = StreamLink.VERSION + 1;
        link(fromLeft, toLeft, LONG_NS, right).start();
        write(toRight, "tutti-link " + version + "\n");
        final InputStream foreign = new ByteArrayInputStream("x".repeat(70_000).getBytes(StandardCharsets.US_ASCII));
        final StreamLink other = link(foreign, OutputStream.nullOutputStream(), LONG_NS, left).start();

        assertEquals("lost version of the agent protocol there is " + version + ", here " + StreamLink.VERSION +
            ": use the same release on all hosts", right.next());
        final String cause = left.next();
        assertTrue(
            cause.startsWith("lost invalid data on the connection: no greeting in the first 65536 bytes"), cause);
        assertFalse(other.isGreeted());
    }

    @Test
    void shouldReportReadErrorAsFailedConnection() throws InterruptedException
    {
        final InputStream reset = new InputStream()
        {
            @Override
            public int read() throws IOException
            {
                throw new SocketException("Connection reset");
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int length) throws IOException
            {
                return read();
            }
        };

        link(reset, OutputStream.nullOutputStream(), LONG_NS, left).start();

        assertEquals("lost the connection failed: Connection reset", left.next());
    }

    private static AgentMessage notice(final String text)
    {
        return new AgentMessage.Notice(text);
    }

    private static StreamLink link(
        final InputStream in, final OutputStream out, final long timeoutNs, final AgentHandler handler)
    {
        return new StreamLink(3, "there", in, out, timeoutNs, handler);
    }

    private static void write(final OutputStream out, final String text) throws IOException
    {
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}
