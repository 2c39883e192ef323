/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.BlockingQueue;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.OutputSink;
import org.tutti.launcher.rank.Reaper;

/**
 * One start of a job, to its end: coordinator, one agent per host, and the ranks. When it has ended, none of its
 * processes and files is left. For a single use, by a thread that lives as long as the process.
 */
final class JobAttempt implements Reaper.Listener
{
    private static final int JOB_ID_BYTES = 4;
    private static final int SECRET_BYTES = 16;

    private final JobSpec spec;
    private final Start start;
    private final BlockingQueue<JobEvent> events;
    private final StartupTimes times;
    private final Console console;

    /**
     * What differs between the starts of a job.
     *
     * @param restart       the number of the restart, 0 for the first start.
     * @param isRestartable whether another start may follow.
     * @param readsInput    whether rank 0 gets this process's stdin.
     * @param firstNs       the time of the first start, by {@link System#nanoTime()}.
     * @param knownHosts    the names of hosts that have been ready in any start; extended by this one.
     */
    record Start(int restart, boolean isRestartable, boolean readsInput, long firstNs, Set<String> knownHosts)
    {
    }

    JobAttempt(
        final JobSpec spec,
        final Start start,
        final BlockingQueue<JobEvent> events,
        final StartupTimes times,
        final Console console)
    {
        this.spec = spec;
        this.start = start;
        this.events = events;
        this.times = times;
        this.console = console;
    }

    /**
     * Runs the job to its end.
     *
     * @param sink the sink of the ranks' output; owned by the caller.
     */
    AttemptEnd run(final OutputSink sink) throws IOException, InterruptedException
    {
        final String jobId = ProcessHandle.current().pid() + "-" + randomHex(JOB_ID_BYTES);
        final JobControl control;
        try (JobHosts hosts = new JobHosts(spec, start, events, times, console))
        {
            // The reaper comes first: it removes the directory, however this process ends.
            final Reaper reaper = new Reaper(jobId, JobDirectory.path(JobDirectory.base(), jobId), this);
            times.mark("reaper started");
            try (JobDirectory directory = jobDirectory(jobId); reaper)
            {
                if (spec.where().nodes() != null)
                {
                    spec.where().nodes().start(start.isRestartable());
                }
                hosts.connect(jobId, reaper, sink);
                final JobEvent.Signalled signal = hosts.awaitReady();
                if (signal != null)
                {
                    return AttemptEnd.of(signal);
                }
                control = runRanks(jobId, directory, hosts);
            }
            // The reaper has ended processes that ranks left behind and that held their output open: now all output
            // arrives.
            final long endNs = System.nanoTime();
            control.awaitOutput(timeoutMs -> hosts.awaitOutput(timeoutMs, endNs));
        }
        return AttemptEnd.of(control);
    }

    /** Starts the ranks of all hosts and waits for their end. */
    private JobControl runRanks(final String jobId, final JobDirectory directory, final JobHosts hosts)
        throws IOException, InterruptedException
    {
        final String secret = spec.where().nodes() == null ?
            randomHex(SECRET_BYTES) : spec.where().nodes().jobSecret(jobId);
        final RankEnvironment environment = hosts.environment(jobId, secret);
        try
        {
            // The coordinator starts while the JVMs of the ranks do.
            hosts.startRanksHere(environment, directory.path().toString(), start.readsInput());
            try (Coordinator coordinator = coordinator(jobId, directory, secret, hosts.endpoint()))
            {
                times.mark("coordinator started");
                hosts.startRanksElsewhere(environment, coordinator.port(), start.readsInput());
                final long usedNs = start.restart() == 0 ? 0 : System.nanoTime() - start.firstNs();
                final JobControl control = new JobControl(spec, events, hosts, coordinator, times, console, usedNs);
                control.awaitEnd();
                hosts.finish(control.exitCode(), start.isRestartable() && control.isRestartable());
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

    /** Returns random digits of the kernel's generator: Java's takes 20 ms to initialize. */
    private static String randomHex(final int bytes) throws IOException
    {
        try (InputStream random = new FileInputStream("/dev/urandom"))
        {
            return HexFormat.of().formatHex(random.readNBytes(bytes));
        }
    }
}
