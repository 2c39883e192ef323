/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.agent.AgentHandler;
import org.tutti.launcher.agent.AgentLink;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.agent.InputFeed;
import org.tutti.launcher.agent.StreamLink;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.OutputSink;

/**
 * The launcher's side of another host: the connection and the link to its agent, and the output that arrives over it.
 * All other messages of the agent become events of the job.
 */
final class RemoteHost implements AgentHandler, AutoCloseable
{
    private static final long EXIT_TIMEOUT_MS = 2_000;
    private static final AgentMessage.Output NO_MORE = new AgentMessage.Output(-1, false, new byte[0]);

    private final int agent;
    private final String name;
    private final BlockingQueue<JobEvent> events;
    private final OutputSink sink;
    private final AgentConnection connection;
    private final StreamLink link;
    private final InputFeed feed;
    private final BlockingQueue<AgentMessage.Output> output = new LinkedBlockingQueue<>();
    private final Thread outputThread = DaemonThread.of("tutti-output", this::passOutput);
    private volatile boolean isFinished;

    /**
     * Creates the launcher's side without blocking.
     *
     * @param hello      the first message to the agent.
     * @param name       the name of the host.
     * @param connection the connection to the agent; owned by this object.
     * @param events     the queue of the job's events.
     * @param sink       the sink of the ranks' output; owned by the caller.
     */
    RemoteHost(
        final AgentMessage.Hello hello,
        final String name,
        final AgentConnection connection,
        final BlockingQueue<JobEvent> events,
        final OutputSink sink)
    {
        agent = hello.agent();
        this.name = name;
        this.connection = connection;
        this.events = events;
        this.sink = sink;
        link = new StreamLink(
            agent, name, connection.input(), connection.output(), hello.heartbeatTimeoutNs(), this);
        feed = new InputFeed(link);
        link.send(hello);
    }

    /** Starts exchanging messages with the agent. */
    void start()
    {
        // The thread that is joined when the link ends comes first.
        outputThread.start();
        link.start();
        connection.start(() -> link.lose(null));
    }

    String name()
    {
        return name;
    }

    /** Returns the address at which the host reaches this one; null if unknown. */
    InetAddress ownAddress()
    {
        return connection.ownAddress();
    }

    /** Sends a message, unless the host is lost; the loss is reported as an event. */
    void send(final AgentMessage message)
    {
        try
        {
            link.send(message);
        }
        catch (final BootstrapException ex)
        {
            // The loss was reported as an event.
            return;
        }
    }

    /** Starts forwarding this process's stdin to the rank that reads it. */
    void feedInput()
    {
        feed.start();
    }

    /**
     * Waits at most {@code timeoutMs} milliseconds until all output is written and the host is cleaned up; returns
     * whether it is.
     */
    boolean awaitOutput(final long timeoutMs) throws InterruptedException
    {
        outputThread.join(Math.max(1, timeoutMs));
        return !outputThread.isAlive();
    }

    @Override
    public void onMessage(final AgentLink from, final AgentMessage message)
    {
        switch (message)
        {
            case AgentMessage.Output lines -> output.add(lines);
            case AgentMessage.InputPassed passed -> feed.passed(passed.length());
            case AgentMessage.Finished finished ->
            {
                isFinished = true;
                output.add(NO_MORE);
            }
            case AgentMessage.Ready ready -> events.add(new JobEvent.HostReady(agent, ready));
            case AgentMessage.Refused refused ->
            {
                isFinished = true;
                events.add(new JobEvent.AgentLost(name, refused.cause()));
                output.add(NO_MORE);
            }
            case AgentMessage.Notice notice -> events.add(new JobEvent.Noticed(name + ": " + notice.text()));
            default -> events.add(new JobEvent.AgentSaid(name, message));
        }
    }

    @Override
    public void onLost(final AgentLink from, final String cause)
    {
        if (!isFinished)
        {
            final String text = cause == null ? connection.causeOfEnd(link.isGreeted()) : cause;
            connection.destroy();
            events.add(new JobEvent.AgentLost(name, text));
        }
        // Comes last, so that the loss has been reported when the wait for output ends.
        output.add(NO_MORE);
    }

    private void passOutput()
    {
        boolean isLost = false;
        try
        {
            for (AgentMessage.Output lines = output.take(); lines.rank() >= 0; lines = output.take())
            {
                isLost = isLost || !pass(lines);
                send(new AgentMessage.OutputPassed(lines.bytes().length));
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean pass(final AgentMessage.Output lines)
    {
        try
        {
            sink.write(lines.rank(), lines.isError(), lines.bytes(), 0, lines.bytes().length);
            return true;
        }
        catch (final IOException ex)
        {
            events.add(new JobEvent.AgentSaid(name, new AgentMessage.OutputLost(lines.rank(), ex.getMessage())));
            return false;
        }
    }

    /** Closes the link: the agent ends. */
    void closeLink()
    {
        link.close();
    }

    /** Closes the link and the connection; the agent cleans up its host. Idempotent. */
    @Override
    public void close()
    {
        closeLink();
        try
        {
            feed.stop();
            if (!connection.awaitEnd(EXIT_TIMEOUT_MS))
            {
                connection.destroy();
            }
        }
        catch (final InterruptedException ex)
        {
            connection.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
