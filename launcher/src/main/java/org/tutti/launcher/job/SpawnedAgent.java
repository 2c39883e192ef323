/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.tutti.launcher.agent.AgentCommand;
import org.tutti.launcher.host.RemoteOptions;
import org.tutti.launcher.host.RemoteShell;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.DaemonThread;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.rank.Reaper;

/** An agent that ssh or srun runs on another host: the process of ssh or srun, and its streams. */
final class SpawnedAgent implements AgentConnection
{
    private static final long EXIT_TIMEOUT_MS = 2_000;
    private static final int NOT_FOUND = 127;
    private static final int NOT_EXECUTABLE = 126;

    private final String host;
    private final RemoteOptions options;
    private final Process process;
    private final Thread errorThread = DaemonThread.of("tutti-ssh-err", this::readErrors);
    private volatile String lastError = "";

    /**
     * Starts the agent without blocking. The calling thread must live as long as this process.
     *
     * @param host    the name of the host.
     * @param options the options for reaching the host.
     * @param reaper  the reaper, which ends ssh or srun if this process is killed.
     * @throws IOException if the process cannot be started.
     */
    SpawnedAgent(final String host, final RemoteOptions options, final Reaper reaper) throws IOException
    {
        this.host = host;
        this.options = options;
        // In its own session: Ctrl-C reaches only this process, which notifies the agent, and ssh has no terminal to
        // prompt on.
        final List<String> command = new ArrayList<>(SpawnPrefix.rankPrefix(List.of(), false));
        command.addAll(options.tuttiCommand(host, AgentCommand.NAME));
        final ProcessBuilder builder = new ProcessBuilder(command);
        options.shell().prepare(builder.environment());
        process = builder.start();
        reaper.tied(process.pid());
        errorThread.start();
    }

    @Override
    public InputStream input()
    {
        return process.getInputStream();
    }

    @Override
    public OutputStream output()
    {
        return process.getOutputStream();
    }

    @Override
    public InetAddress ownAddress()
    {
        return null;
    }

    @Override
    public void start(final Runnable onEnd)
    {
        DaemonThread.of("tutti-ssh-wait", () -> awaitExit(onEnd)).start();
    }

    /** Reports the end of the process, as another process may hold its streams open. */
    private void awaitExit(final Runnable onEnd)
    {
        try
        {
            process.waitFor();
            Thread.sleep(EXIT_TIMEOUT_MS);
            onEnd.run();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean awaitEnd(final long timeoutMs) throws InterruptedException
    {
        return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Returns why the agent's stream ended, from the exit code and the last line of ssh or srun. */
    @Override
    public String causeOfEnd(final boolean isGreeted)
    {
        try
        {
            if (!process.waitFor(EXIT_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                return "its agent closed the connection";
            }
            errorThread.join(EXIT_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        final RemoteShell shell = options.shell();
        final int code = process.exitValue();
        final String said = lastError.isEmpty() ? "" : ": " + lastError;
        if (isGreeted)
        {
            return "the connection ended (" + shell.name() + " " + ExitCode.describe(code) + ")" + said;
        }
        final String failure = shell.failure(host, code, said);
        if (failure != null)
        {
            return failure;
        }
        return switch (code)
        {
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
        try (BufferedReader reader = process.errorReader(StandardCharsets.UTF_8))
        {
            for (String line = reader.readLine(); line != null; line = reader.readLine())
            {
                final boolean isKept =
                    line.isBlank() || (!lastError.isEmpty() && options.shell().isReportOfEnd(line));
                lastError = isKept ? lastError : line.strip().replaceFirst("\\.$", "");
            }
        }
        catch (final IOException ex)
        {
            // The process has ended.
            return;
        }
    }

    @Override
    public void destroy()
    {
        process.destroyForcibly();
    }
}
