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

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.CoordinatorContext;
import org.tutti.bootstrap.CoordinatorListener;
import org.tutti.bootstrap.Hosts;
import org.tutti.bootstrap.JobDirectory;
import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.agent.NodeGroup;
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

    private final AttemptContext context;
    /** The other nodes; null if the launcher starts the agents of other hosts. */
    private final NodeGroup nodes;

    JobAttempt(final AttemptContext context)
    {
        this.context = context;
        nodes = context.spec().where().nodes();
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
        try (JobHosts hosts = new JobHosts(context))
        {
            // The reaper comes first: it removes the directory, however this process ends.
            final Reaper reaper = new Reaper(jobId, JobDirectory.path(JobDirectory.base(), jobId), this);
            context.times().mark("reaper started");
            try (JobDirectory directory = jobDirectory(jobId); reaper)
            {
                if (nodes != null)
                {
                    nodes.start(context.start().isRestartable());
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
        final String secret = nodes == null ? randomHex(SECRET_BYTES) : nodes.jobSecret(jobId);
        final RankEnvironment environment = hosts.environment(jobId, secret);
        try
        {
            // The coordinator starts while the JVMs of the ranks do.
            hosts.startRanksHere(environment, directory.path().toString());
            try (Coordinator coordinator = coordinator(jobId, directory, secret, hosts.endpoint()))
            {
                context.times().mark("coordinator started");
                hosts.startRanksElsewhere(environment, coordinator.port());
                final JobControl control = new JobControl(context.spec(), context.events(), hosts, coordinator,
                    context.times(), context.console(), context.start().usedNs());
                control.awaitEnd();
                final JobOutcome outcome = control.outcome();
                hosts.finish(outcome.exitCode(), context.start().isRestartable() && outcome.isRestartable());
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
            .size(context.spec().size())
            .aeronDirectory(directory.aeronDirectory())
            .secret(secret.getBytes(StandardCharsets.UTF_8))
            .endpoint(endpoint)
            .listener(new CoordinatorListener()
            {
                @Override
                public void onJoined(final int rank, final String host, final long pid)
                {
                    context.events().add(new JobEvent.Joined(rank, pid));
                }

                @Override
                public void onWaiting(final int rank, final int peer, final String call, final long waitedNs)
                {
                    context.events().add(new JobEvent.Waiting(rank, peer, call, waitedNs));
                }

                @Override
                public void onFailure(final RankFailure failure)
                {
                    context.events().add(new JobEvent.Failed(failure));
                }
            }));
    }

    @Override
    public void onKilled(final String cause)
    {
        context.events().add(new JobEvent.ReaperLost(Hosts.local(), cause));
    }

    @Override
    public void onReplaced(final String notice)
    {
        context.console().say("tutti: " + notice);
    }

    private JobDirectory jobDirectory(final String jobId)
    {
        final JobDirectory directory = JobDirectory.create(jobId);
        context.times().mark("job directory created, stale ones removed");
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
