/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.Terminal;
import org.tutti.launcher.host.Cores;
import org.tutti.launcher.host.RankPlacement;
import org.tutti.launcher.host.SlurmAllocation;
import org.tutti.launcher.host.SpawnPrefix;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.ExitCode;
import org.tutti.launcher.io.FileSink;
import org.tutti.launcher.io.JobOutput;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.io.UsageException;
import org.tutti.launcher.rank.Reaper;

/**
 * Runs a job: starts the coordinator, one agent per host and the ranks, and ends all of them. For a single use, by a
 * thread that lives as long as the process.
 */
public final class Launcher implements Reaper.Listener
{
    private static final int JOB_ID_BYTES = 4;
    private static final int SECRET_BYTES = 16;
    private static final int FILES = 16;
    private static final int PIPES = 3;

    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final JobSpec spec;
    private final StartupTimes times;
    private final Console console;

    /**
     * Creates the launcher of a job.
     *
     * @param spec   the specification of the job.
     * @param mainNs the time when this process reached main, by {@link System#nanoTime()}.
     */
    public Launcher(final JobSpec spec, final long mainNs)
    {
        this.spec = spec;
        times = new StartupTimes(mainNs);
        console = new Console(spec.output().isTagged(), spec.output().isTimed());
    }

    /**
     * Runs the job to its end. On return, none of its processes and files is left.
     *
     * @return the job's exit code.
     * @throws IOException          if this host cannot create a process or a file.
     * @throws InterruptedException if the thread is interrupted.
     */
    public int run() throws IOException, InterruptedException
    {
        times.mark("command line parsed");
        requireFiles();
        final OutputSink sink = sink();
        printWarnings();
        TerminationSignals.handle(events);
        try
        {
            return run(sink);
        }
        finally
        {
            TerminationSignals.restore();
        }
    }

    @SuppressWarnings("try") // The watch runs on its own thread.
    private int run(final OutputSink sink) throws IOException, InterruptedException
    {
        final String jobId = ProcessHandle.current().pid() + "-" + randomHex(JOB_ID_BYTES);
        final JobControl control;
        final SlurmAllocation allocation = SlurmAllocation.read(System.getenv());
        try (AllocationWatch watch = AllocationWatch.start(allocation, events, console, spec.isQuiet());
            sink; JobHosts hosts = new JobHosts(spec, events, times, console))
        {
            // The reaper comes first: it removes the directory, however this process ends.
            final Reaper reaper = new Reaper(jobId, JobDirectory.path(JobDirectory.base(), jobId), this);
            times.mark("reaper started");
            try (JobDirectory directory = jobDirectory(jobId); reaper)
            {
                if (spec.where().nodes() != null)
                {
                    spec.where().nodes().start();
                }
                hosts.connect(jobId, reaper, sink);
                final JobEvent.Signalled signal = hosts.awaitReady();
                if (signal != null)
                {
                    return ExitCode.ofSignal(signal.number());
                }
                control = runRanks(jobId, directory, hosts);
            }
            // The reaper has ended processes that ranks left behind and that held their output open: now all output
            // arrives.
            final long endNs = System.nanoTime();
            control.awaitOutput(timeoutMs -> hosts.awaitOutput(timeoutMs, endNs));
        }
        if (spec.isVerbose())
        {
            times.mark("ended");
            console.say(times.toString());
        }
        final String report = control.report();
        if (report != null)
        {
            console.say(report);
        }
        return control.awaitOutput(console::awaitMessages);
    }

    /** Starts the ranks of all hosts and waits for their end. */
    private JobControl runRanks(final String jobId, final JobDirectory directory, final JobHosts hosts)
        throws IOException, InterruptedException
    {
        final String secret = spec.where().nodes() == null ?
            randomHex(SECRET_BYTES) : spec.where().nodes().jobSecret(jobId);
        final boolean readsInput = mayReadStdin();
        final RankEnvironment environment = hosts.environment(jobId, secret);
        try
        {
            // The coordinator starts while the JVMs of the ranks do.
            hosts.startRanksHere(environment, directory.path().toString(), readsInput);
            try (Coordinator coordinator = coordinator(jobId, directory, secret, hosts.endpoint()))
            {
                times.mark("coordinator started");
                hosts.startRanksElsewhere(environment, coordinator.port(), readsInput);
                final JobControl control = new JobControl(spec, events, hosts, coordinator, times, console);
                control.awaitEnd();
                hosts.finish(control.exitCode());
                return control;
            }
        }
        finally
        {
            // The reaper is closed next, and ends the ranks that it knows.
            hosts.stopStarting();
        }
    }

    private Coordinator coordinator(
        final String jobId, final JobDirectory directory, final String secret, final String endpoint)
    {
        return Coordinator.start(new CoordinatorContext()
            .jobId(jobId)
            .size(spec.size())
            .aeronDirectory(directory.aeronDirectory())
            .secret(secret.getBytes(StandardCharsets.UTF_8))
            .endpoint(endpoint)
            .listener(new CoordinatorListener()
            {
                @Override
                public void onJoined(final int rank, final String host, final long pid)
                {
                    events.add(new JobEvent.Joined(rank, pid));
                }

                @Override
                public void onWaiting(final int rank, final int peer, final String call, final long waitedNs)
                {
                    events.add(new JobEvent.Waiting(rank, peer, call, waitedNs));
                }

                @Override
                public void onFailure(final RankFailure failure)
                {
                    events.add(new JobEvent.Failed(failure));
                }
            }));
    }

    @Override
    public void onKilled(final String cause)
    {
        events.add(new JobEvent.ReaperLost(Hosts.local(), cause));
    }

    @Override
    public void onReplaced(final String notice)
    {
        console.say("tutti: " + notice);
    }

    private JobDirectory jobDirectory(final String jobId)
    {
        final JobDirectory directory = JobDirectory.create(jobId);
        times.mark("job directory created, stale ones removed");
        return directory;
    }

    private OutputSink sink()
    {
        final Path files = spec.output().directory();
        try
        {
            return new JobOutput(
                files == null ? null : new FileSink(files, spec.size()), console, spec.output().shown());
        }
        catch (final IOException ex)
        {
            throw new UsageException("cannot write to --output-dir '" + files + "' (" + ex +
                "): give a writable directory");
        }
    }

    /**
     * Returns whether rank 0 may read this process's stdin. The terminal of a background job belongs to the shell, and
     * a rank, which has no controlling terminal, would not be stopped for reading from it.
     */
    private static boolean mayReadStdin()
    {
        if (!Terminal.isTerminal(0))
        {
            return true;
        }
        try
        {
            // pid (name) state ppid pgrp session tty_nr tpgid: the name may contain anything, so count from its end.
            final String stat = Files.readString(Path.of("/proc/self/stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** Returns random digits of the kernel's generator: Java's takes 20 ms to initialize. */
    private static String randomHex(final int bytes) throws IOException
    {
        try (InputStream random = new FileInputStream("/dev/urandom"))
        {
            return HexFormat.of().formatHex(random.readNBytes(bytes));
        }
    }

    /** Checks the limit of open files: pipes of ranks and of ssh, output files, and class files. */
    private void requireFiles()
    {
        final int hosts = spec.where().placement().hosts().size();
        final int files = spec.output().directory() == null ? 0 : spec.size();
        OpenFileLimit.require("the launcher of " + spec.size() + " ranks",
            FILES + PIPES * (localSize() + hosts) + 2L * files);
    }

    private int localSize()
    {
        return spec.where().placement().hosts().stream()
            .filter(RankPlacement.Host::isLocal).mapToInt(host -> host.ranks().size()).sum();
    }

    private void printWarnings()
    {
        final int cores = Cores.count();
        final int size = localSize();
        if (size > cores && !spec.isQuiet())
        {
            console.say("tutti: " + MessageFormat.sharedCores(size, cores));
        }
        if (SpawnPrefix.missing() != null && !spec.isQuiet())
        {
            console.say("tutti: " + SpawnPrefix.missing());
        }
    }
}
