/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.tutti.bootstrap.AgentHandler;
import org.tutti.bootstrap.AgentLink;
import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.InProcessAgentLink;

/**
 * Runs a job: the coordinator, an agent per host, the ranks, and the end of all of them. To be used once, by a thread
 * that lives as long as the process.
 */
final class Launcher
{
    private static final int SECRET_BYTES = 16;

    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final JobSpec spec;
    private final StartTimes times;
    private final Console console;
    private AgentLink agentLink;

    Launcher(final JobSpec spec, final long mainNs)
    {
        this.spec = spec;
        times = new StartTimes(mainNs);
        console = new Console(spec.output().isTagged(), spec.output().isTimed());
    }

    /**
     * Runs the job to its end; then none of its processes and files is left.
     *
     * @return its exit code.
     * @throws IOException if this host refuses what a launcher needs.
     */
    int run() throws IOException, InterruptedException
    {
        final OutputSink sink = sink();
        sayWhatIsUnusual();
        Signals.handle(events);
        final String jobId = "tutti-" + ProcessHandle.current().pid() + "-" + randomHex(4);
        final Path directory = Files.createDirectory(Path.of("/dev/shm", jobId));
        final int exitCode;
        final String report;
        try (sink)
        {
            final NodeAgent agent;
            try (Guardian guardian = new Guardian(jobId, directory); Coordinator coordinator = new NoCoordinator())
            {
                times.mark("job directory, guardian and coordinator there");
                agent = new NodeAgent(guardian, sink);
                final JobControl control =
                    new JobControl(spec, events, (rank, message) -> send(message), coordinator, times, console);
                connect(agent);
                startRanks(new RankEnvironment(spec, jobId, directory.toString(), randomHex(SECRET_BYTES)));
                exitCode = control.awaitEnd();
                report = control.report();
            }
            // The guardian ended what ranks left behind and what held their output open: now all of it comes.
            agent.awaitOutput();
        }
        if (spec.isVerbose())
        {
            times.mark("ended");
            console.say(times.toString());
        }
        if (report != null)
        {
            console.say(report);
        }
        return exitCode;
    }

    private OutputSink sink()
    {
        final Path files = spec.output().directory();
        if (files == null)
        {
            return console;
        }
        try
        {
            return new FileSink(files, spec.size());
        }
        catch (final IOException ex)
        {
            throw new UsageException("--output-dir '" + files + "' cannot be written to (" + ex +
                "): give a directory that can");
        }
    }

    /** Connects the one agent of a job on one host: in this process, but by the same words as one elsewhere. */
    private void connect(final NodeAgent agent) throws IOException
    {
        final AgentHandler handler = new AgentHandler()
        {
            @Override
            public void onJoined(final AgentLink link)
            {
                agentLink = link;
            }

            @Override
            public void onMessage(final AgentLink link, final int type, final byte[] payload)
            {
                events.add(new JobEvent.AgentSaid(link.host(), AgentMessage.decode(type, payload)));
            }

            @Override
            public void onLost(final AgentLink link, final String cause)
            {
                events.add(new JobEvent.AgentLost(link.host(), cause));
            }
        };
        InProcessAgentLink.connect(0, hostName(), handler, agent);
    }

    private void startRanks(final RankEnvironment environment)
    {
        final List<Integer> cores = spec.isBound() ? Cores.allowed() : List.of();
        final boolean isInputOurs = isInputOurs();
        for (int rank = 0; rank < spec.size(); rank++)
        {
            send(new AgentMessage.Start(
                rank,
                cores.isEmpty() ? -1 : cores.get(rank % cores.size()),
                spec.kind() != JobSpec.Kind.EXECUTABLE,
                rank == 0 && isInputOurs,
                spec.command(),
                environment.of(rank)));
        }
    }

    private void send(final AgentMessage message)
    {
        agentLink.send(message.type(), message.encode());
    }

    /**
     * Whether rank 0 may read our stdin. The terminal of a job that was put into the background belongs to the shell,
     * and a rank, in a session of its own, would not be stopped for reading from it.
     */
    private static boolean isInputOurs()
    {
        if (!Console.isTerminal(0))
        {
            return true;
        }
        try
        {
            // pid (name) state ppid pgrp session tty_nr tpgid: the name may hold anything, so count from its end.
            final String stat = Files.readString(Path.of("/proc/self/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** This host's name as the kernel has it: to ask Java may mean to wait for a name server. */
    private static String hostName()
    {
        try
        {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
        }
        catch (final IOException ex)
        {
            return "localhost";
        }
    }

    /** Random digits; of the kernel's making, because Java's takes 20 ms to set up. */
    private static String randomHex(final int bytes) throws IOException
    {
        try (InputStream random = new FileInputStream("/dev/urandom"))
        {
            return HexFormat.of().formatHex(random.readNBytes(bytes));
        }
    }

    private void sayWhatIsUnusual()
    {
        final int cores = Cores.count();
        if (spec.size() > cores && !spec.isQuiet())
        {
            console.say("tutti: " + spec.size() + " ranks share " + cores + (cores == 1 ? " core" : " cores") +
                ": they run, but take turns");
        }
        if (SpawnTools.missing() != null && !spec.isQuiet())
        {
            console.say("tutti: " + SpawnTools.missing());
        }
    }
}
