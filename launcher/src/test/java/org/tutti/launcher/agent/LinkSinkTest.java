/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.tutti.launcher.io.DaemonThread;

class LinkSinkTest implements AgentHandler
{
    private static final int PART = 1 << 19;

    private final StreamLink link =
        new StreamLink(0, "there", InputStream.nullInputStream(), OutputStream.nullOutputStream(), 1, this);
    private final LinkSink sink = new LinkSink(link);
    private final BlockingQueue<String> written = new LinkedBlockingQueue<>();

    @Test
    void shouldBlockWritesWhenOutputIsNotRead() throws InterruptedException
    {
        start(4);
        assertEquals("0", next());
        assertEquals("1", next());
        assertNull(written.poll(200, TimeUnit.MILLISECONDS));

        sink.passed(PART);
        assertEquals("2", next());
        assertNull(written.poll(200, TimeUnit.MILLISECONDS));

        sink.lose();
        assertEquals("lost", next());
    }

    @Test
    void shouldSendLineThatIsLongerThanWindow() throws IOException
    {
        sink.write(0, false, new byte[8 * PART], 0, 8 * PART);
        sink.passed(8 * PART);
        sink.write(0, false, new byte[8 * PART], 0, 8 * PART);
    }

    private void start(final int parts)
    {
        DaemonThread.of("test-writer", () ->
        {
            try
            {
                for (int i = 0; i < parts; i++)
                {
                    sink.write(0, false, new byte[PART], 0, PART);
                    written.add(Integer.toString(i));
                }
            }
            catch (final IOException ex)
            {
                written.add("lost");
            }
        }).start();
    }

    private String next() throws InterruptedException
    {
        return written.poll(60, TimeUnit.SECONDS);
    }

    @Override
    public void onMessage(final AgentLink from, final AgentMessage message)
    {
        throw new IllegalStateException("no message is sent");
    }

    @Override
    public void onLost(final AgentLink from, final String cause)
    {
        throw new IllegalStateException("never started");
    }
}
