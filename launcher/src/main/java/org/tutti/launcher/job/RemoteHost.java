/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.BootstrapException;
import org.tutti.launcher.agent.AgentCommand;
import org.tutti.launcher.agent.AgentHandler;
import org.tutti.launcher.agent.AgentLink;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.agent.InputFeed;
import org.tutti.launcher.agent.StreamLink;
import org.tutti.launcher.host.RemoteOptions;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.rank.Reaper;

/**
 * The launcher's side of a host reached by ssh: the ssh process, the link to the agent at its other end, and the output
 * that arrives over it. All other messages of the agent become events of the job.
 */
final class RemoteHost implements AgentHandler, AutoCloseable
{
    private static final long EXIT_TIMEOUT_MS = 2_000;
    private static final int SSH_FAILED = 255;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;
    private static final AgentMessage.Output NO_MORE = new AgentMessage.Output(-1, false, new byte[0]);

    private final int agent;
    private final String name;
    private final RemoteOptions options;
    private final BlockingQueue<JobEvent> events;
    private final OutputSink sink;
    private final Process ssh;
    private final StreamLink link;
    private final InputFeed feed;
    private final BlockingQueue<AgentMessage.Output> output = new LinkedBlockingQueue<>();
    private final Thread outputThread = DaemonThread.of("tutti-output", this::passOutput);
    private final Thread errorThread = DaemonThread.of("tutti-ssh-err", this::readErrors);
    private volatile String lastError = "";
    private volatile boolean isFinished;

    /**
     * Starts the agent of a host without blocking. The calling thread must live as long as this process.
     *
     * @param hello   the first message to the agent.
     * @param name    the name of the host.
     * @param options the options for reaching the host.
     * @param events  the queue of the job's events.
     * @param sink    the sink of the ranks' output; owned by the caller.
     * @param reaper  the reaper, which ends ssh if this process is killed.
     * @throws IOException if ssh cannot be started.
     */
    RemoteHost(
        final AgentMessage.Hello hello,
        final String name,
        final RemoteOptions options,
        final BlockingQueue<JobEvent> events,
        final OutputSink sink,
        final Reaper reaper)
        throws IOException
    {
        agent = hello.agent();
        this.name = name;
        this.options = options;
        this.events = events;
        this.sink = sink;
        // In its own session: Ctrl-C reaches only this process, which notifies the agent, and ssh has no terminal to
        // prompt on.
        final List<String> command = new ArrayList<>(SpawnPrefix.rankPrefix(-1, false));
        command.addAll(options.tuttiCommand(name, AgentCommand.NAME));
        ssh = new ProcessBuilder(command).start();
        reaper.tied(ssh.pid());
        link = new StreamLink(
            agent, name, ssh.getInputStream(), ssh.getOutputStream(), hello.heartbeatTimeoutNs(), this);
        feed = new InputFeed(link);
        link.send(hello);
    }

    /** Starts exchanging messages with the agent. */
    void start()
    {
        // The threads that are joined when the link ends come first.
        errorThread.start();
        outputThread.start();
        link.start();
        DaemonThread.of("tutti-ssh-wait", this::awaitExit).start();
    }

    String name()
    {
        return name;
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
            final String text = cause == null ? endOfStream() : cause;
            ssh.destroyForcibly();
            events.add(new JobEvent.AgentLost(name, text));
        }
        // Comes last, so that the loss has been reported when the wait for output ends.
        output.add(NO_MORE);
    }

    /** Declares the link lost when ssh has ended, as another process may hold its streams open. */
    private void awaitExit()
    {
        try
        {
            ssh.waitFor();
            Thread.sleep(EXIT_TIMEOUT_MS);
            link.lose(null);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns why the agent's stream ended, from the exit code and the last line of ssh. */
    private String endOfStream()
    {
        try
        {
            if (!ssh.waitFor(EXIT_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                return "its agent closed the connection";
            }
            errorThread.join(EXIT_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        final int code = ssh.exitValue();
        final String said = lastError.isEmpty() ? "" : ": " + lastError;
        if (link.isGreeted())
        {
            return "the connection ended (" + options.ssh().getFirst() + " " + ExitCode.describe(code) + ")" + said;
        }
        return switch (code)
        {
            case SSH_FAILED -> options.ssh().getFirst() + " " + ExitCode.describe(code) + said +
                "; it must log in without a prompt, by a key and a known host: try '" +
                options.ssh().getFirst() + " -o BatchMode=yes " + name + " true'";
            case NOT_FOUND, NOT_EXECUTABLE -> "no executable " + options.home().resolve("tutti") +
                said + ": install Tutti there, or give --remote-path";
            default -> lastError.isEmpty() ?
                "its agent " + ExitCode.describe(code) + " before it was ready" :
                lastError.replaceFirst("^tutti: ", "");
        };
    }

    /** Keeps the last line that ssh, Tutti's start script or the agent wrote to stderr: the reason for their end. */
    private void readErrors()
    {
        try (BufferedReader reader = ssh.errorReader(StandardCharsets.UTF_8))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                lastError = line.isBlank() ? lastError : line.strip().replaceFirst("\\.$", "");
            }
        }
        catch (final IOException ex)
        {
            // ssh has ended.
            return;
        }
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

    /** Closes the link: the agent ends, and ssh with it. */
    void closeLink()
    {
        link.close();
    }

    /** Closes the link and ends ssh; the agent cleans up its host. Idempotent. */
    @Override
    public void close()
    {
        closeLink();
        try
        {
            if (!ssh.waitFor(EXIT_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                ssh.destroyForcibly();
            }
        }
        catch (final InterruptedException ex)
        {
            ssh.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
