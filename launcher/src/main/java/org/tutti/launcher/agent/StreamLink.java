/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.agent;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.RunningClock;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.OutputPump;

/**
 * A link over two streams, such as those of ssh. Each end first sends a line with its version, the <i>greeting</i>;
 * output of the remote shell may precede it. Then frames follow, with a heartbeat every second if there is no
 * message: <pre> int length of the payload | int type | payload </pre> An end that receives nothing for the heartbeat
 * timeout, or reaches the end of its stream, considers the other end lost. Sent messages are queued in memory, without
 * a limit, until the stream takes them. A link has three threads.
 */
public final class StreamLink implements AgentLink
{
    /** The version of the encoding: ends with different versions refuse each other. */
    static final int VERSION = 4;

    private static final String GREETING = "tutti-link ";
    private static final int HEARTBEAT = 0;
    private static final long HEARTBEAT_INTERVAL_MS = 1_000;
    private static final long WATCH_INTERVAL_MS = 200;
    private static final int MAX_PAYLOAD = OutputPump.MAX_LINE + (1 << 16);
    private static final int MAX_FOREIGN = 1 << 16;
    private static final int BUFFER_LENGTH = 1 << 16;

    private static final class Frame
    {
        private final int type;
        private final byte[] payload;

        Frame(final int type, final byte[] payload)
        {
            this.type = type;
            this.payload = payload;
        }
    }

    private static final Frame END = new Frame(-1, null);

    private final int agent;
    private final String host;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final AgentHandler handler;
    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final AtomicBoolean isLost = new AtomicBoolean();
    private volatile long timeoutNs;
    private volatile boolean isGreeted;
    private volatile boolean isHeard;
    private volatile boolean isClosed;
    private volatile String foreign = "";

    /**
     * Creates one end, which neither sends nor receives until it is started.
     *
     * @param agent     the number of the agent.
     * @param host      the name of the agent's host.
     * @param in        the stream from the other end; closed by the caller.
     * @param out       the stream to the other end; closed with the link.
     * @param timeoutNs the heartbeat timeout in nanoseconds, in effect once the other end's version has arrived.
     * @param handler   the handler, called by one of the link's threads at a time.
     */
    public StreamLink(
        final int agent,
        final String host,
        final InputStream in,
        final OutputStream out,
        final long timeoutNs,
        final AgentHandler handler)
    {
        this.agent = agent;
        this.host = host;
        this.in = new DataInputStream(new BufferedInputStream(new NotedInput(in), BUFFER_LENGTH));
        this.out = new DataOutputStream(new BufferedOutputStream(out, BUFFER_LENGTH));
        this.timeoutNs = timeoutNs;
        this.handler = handler;
    }

    /**
     * Starts sending and receiving.
     *
     * @return this link.
     */
    public StreamLink start()
    {
        DaemonThread.of("tutti-link-out-" + agent, this::write).start();
        DaemonThread.of("tutti-link-in-" + agent, this::read).start();
        DaemonThread.of("tutti-link-watch-" + agent, this::watch).start();
        return this;
    }

    @Override
    public int agent()
    {
        return agent;
    }

    @Override
    public String host()
    {
        return host;
    }

    /**
     * Returns whether the version of the other end has arrived.
     *
     * @return true if the other end is a compatible link.
     */
    public boolean isGreeted()
    {
        return isGreeted;
    }

    /** Returns the first line that preceded the greeting, or an empty text. */
    String foreign()
    {
        return foreign;
    }

    /** Changes the heartbeat timeout. */
    void timeout(final long newTimeoutNs)
    {
        timeoutNs = newTimeoutNs;
    }

    @Override
    public void send(final AgentMessage message)
    {
        if (isClosed || isLost.get())
        {
            throw new BootstrapException("the link to agent " + agent + " on " + host + " is closed");
        }
        final byte[] payload = AgentMessageCodec.encode(message);
        if (payload.length > MAX_PAYLOAD)
        {
            throw new BootstrapException(
                "message to an agent is too long: " + payload.length + " bytes > " + MAX_PAYLOAD);
        }
        frames.add(new Frame(AgentMessageCodec.type(message), payload));
    }

    @Override
    public void close()
    {
        isClosed = true;
        frames.add(END);
    }

    private void write()
    {
        try (out)
        {
            out.write(("\n" + GREETING + VERSION + "\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
            while (true)
            {
                final Frame frame = frames.poll(HEARTBEAT_INTERVAL_MS, TimeUnit.MILLISECONDS);
                if (frame == END)
                {
                    return;
                }
                out.writeInt(frame == null ? 0 : frame.payload.length);
                out.writeInt(frame == null ? HEARTBEAT : frame.type);
                if (frame != null)
                {
                    out.write(frame.payload);
                }
                if (frames.isEmpty())
                {
                    out.flush();
                }
            }
        }
        catch (final IOException ex)
        {
            // The other end no longer reads. Messages that it sent before are still received.
            isClosed = true;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void read()
    {
        String cause = null;
        try
        {
            final int version = readGreeting();
            if (version == VERSION)
            {
                isGreeted = true;
                while (!isLost.get())
                {
                    readFrame();
                }
            }
            else
            {
                cause = "version of the agent protocol there is " + version + ", here " + VERSION +
                    ": use the same release on all hosts";
            }
        }
        catch (final EOFException ex)
        {
            cause = null;
        }
        catch (final ProtocolException | RuntimeException ex)
        {
            cause = "invalid data on the connection: " + ex.getMessage();
        }
        catch (final IOException ex)
        {
            // Such as a reset, by a host that was restarted or a firewall.
            cause = "the connection failed: " + ex.getMessage();
        }
        lose(cause);
    }

    /** Reads up to the first line that is a greeting; returns the version of the other end. */
    private int readGreeting() throws IOException
    {
        final ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int length = 0; length < MAX_FOREIGN; length++)
        {
            final byte c = in.readByte();
            if (c != '\n')
            {
                line.write(c);
                continue;
            }
            final String text = line.toString(StandardCharsets.UTF_8).strip();
            line.reset();
            if (text.matches(GREETING + "\\d{1,9}"))
            {
                return Integer.parseInt(text.substring(GREETING.length()));
            }
            foreign = foreign.isEmpty() ? text : foreign;
        }
        throw new ProtocolException(
            "no greeting in the first " + MAX_FOREIGN + " bytes, which start with '" + foreign + "'");
    }

    private void readFrame() throws IOException
    {
        final int length = in.readInt();
        final int type = in.readInt();
        if (length < 0 || length > MAX_PAYLOAD)
        {
            throw new ProtocolException("invalid frame length: " + length);
        }
        final byte[] payload = in.readNBytes(length);
        if (payload.length < length)
        {
            throw new EOFException();
        }
        if (type != HEARTBEAT)
        {
            synchronized (handler)
            {
                if (!isLost.get())
                {
                    handler.onMessage(this, AgentMessageCodec.decode(type, payload));
                }
            }
        }
    }

    private void watch()
    {
        final RunningClock clock = new RunningClock(System.nanoTime());
        long heardNs = 0;
        try
        {
            while (!isLost.get())
            {
                Thread.sleep(WATCH_INTERVAL_MS);
                final long runningNs = clock.advance(System.nanoTime());
                if (isHeard || !isGreeted)
                {
                    isHeard = false;
                    heardNs = runningNs;
                }
                else if (runningNs - heardNs > timeoutNs)
                {
                    lose("no heartbeat for " + DurationFormat.formatMeasured(runningNs - heardNs));
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Declares the other end lost.
     *
     * @param cause the reason in one line, or null if the other end closed the link itself.
     */
    public void lose(final String cause)
    {
        if (isLost.compareAndSet(false, true))
        {
            frames.add(END);
            synchronized (handler)
            {
                handler.onLost(this, cause);
            }
        }
    }

    /** A stream that records the arrival of bytes, also in the middle of a long frame. */
    private final class NotedInput extends InputStream
    {
        private final InputStream source;

        NotedInput(final InputStream source)
        {
            this.source = source;
        }

        @Override
        public int read() throws IOException
        {
            final int value = source.read();
            isHeard = true;
            return value;
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length) throws IOException
        {
            final int count = source.read(bytes, offset, length);
            isHeard = true;
            return count;
        }
    }
}
