/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.OpenFileLimit;
import org.tutti.launcher.agent.HostsLostException;
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

/**
 * Runs a job: starts it, and starts it again after a failure as often as the user allows. For a single use, by a thread
 * that lives as long as the process.
 */
public final class Launcher
{
    private static final int FILES = 16;
    private static final int PIPES = 3;

    private final JobSpec spec;
    private final Restarts restarts;
    private final StartupTimes times;
    private final Console console;
    private final StandardInput input = new StandardInput();
    private final Set<String> knownHosts = new HashSet<>();
    /** The events of the current start: late ones of an earlier start must not arrive. */
    private BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private JobEvent.Signalled stopped;
    private long firstNs;

    /**
     * Creates the launcher of a job.
     *
     * @param spec     the specification of the job.
     * @param restarts how often the job is started again after a failure.
     * @param mainNs   the time when this process reached main, by {@link System#nanoTime()}.
     */
    public Launcher(final JobSpec spec, final Restarts restarts, final long mainNs)
    {
        this.spec = spec;
        this.restarts = restarts;
        times = new StartupTimes(mainNs);
        console = new Console(spec.output().isTagged(), spec.output().isTimed());
    }

    /**
     * Runs the job to its end, and again after failures. On return, none of its processes and files is left.
     *
     * @return the job's exit code.
     * @throws IOException          if this host cannot create a process or a file.
     * @throws InterruptedException if the thread is interrupted.
     */
    @SuppressWarnings("try") // The watch runs on its own thread.
    public int run() throws IOException, InterruptedException
    {
        times.mark("command line parsed");
        requireFiles();
        final OutputSink sink = sink();
        printWarnings();
        final SlurmAllocation allocation = SlurmAllocation.read(System.getenv());
        TerminationSignals.handle(this::stop);
        try (AllocationWatch watch = AllocationWatch.start(allocation, this::stop, console, spec.isQuiet()); sink)
        {
            return run(sink);
        }
        finally
        {
            TerminationSignals.restore();
        }
    }

    private int run(final OutputSink sink) throws IOException, InterruptedException
    {
        final RestartPolicy policy = new RestartPolicy(restarts);
        firstNs = System.nanoTime();
        while (true)
        {
            final AttemptEnd end = attempt(policy, sink);
            final String verdict = policy.next(end);
            if (policy.isOver() && spec.isVerbose())
            {
                times.mark("ended");
                console.say(times.toString());
            }
            end.report(console, verdict);
            if (policy.isOver())
            {
                return end.code(console);
            }
            final JobEvent.Signalled signal = pause(policy.pauseMs());
            if (signal != null)
            {
                return ExitCode.ofSignal(signal.number());
            }
            times.restarted();
        }
    }

    /** Starts the job once, and waits for its end. */
    private AttemptEnd attempt(final RestartPolicy policy, final OutputSink sink)
        throws IOException, InterruptedException
    {
        final int restart = policy.count();
        try
        {
            final JobSpec job = restart == 0 ? spec : spec.at(hosts(policy));
            final JobAttempt attempt = new JobAttempt(new AttemptContext(
                job,
                new AttemptContext.Start(restart, policy.hasMore(), readsInput(restart), firstNs, knownHosts),
                newEvents(),
                times,
                console));
            return attempt.run(sink);
        }
        catch (final HostsLostException ex)
        {
            return AttemptEnd.of(ex);
        }
    }

    /** Determines the hosts of a restart, and reports those that it leaves out. */
    private JobSpec.Where hosts(final RestartPolicy policy) throws InterruptedException
    {
        final Set<String> added = policy.leaveOut();
        final JobSpec.Where where;
        // Nothing of the job is left: a signal may end this process while it waits for nodes.
        TerminationSignals.restore();
        try
        {
            where = restarts.source().next(policy.leftOut());
        }
        finally
        {
            TerminationSignals.handle(this::stop);
        }
        if (!added.isEmpty())
        {
            final int ranks = where.placement().size();
            final int hosts = where.placement().hosts().size();
            console.say("tutti: leaving out " + String.join(", ", added) + ", lost twice: " + ranks +
                (ranks == 1 ? " rank" : " ranks") + " of " + spec.size() + " on " + hosts +
                (hosts == 1 ? " host" : " hosts"));
        }
        return where;
    }

    private boolean readsInput(final int restart)
    {
        final boolean isReadable = input.isReadable(restart);
        if (!isReadable && restart == 1 && input.isLostByRestart() && !spec.isQuiet())
        {
            console.say("tutti: rank 0 gets no input after a restart: stdin is not a file that can be read again");
        }
        return isReadable;
    }

    private synchronized BlockingQueue<JobEvent> newEvents()
    {
        events = new LinkedBlockingQueue<>();
        if (stopped != null)
        {
            events.add(stopped);
        }
        return events;
    }

    /** Ends the job, which is not started again. */
    private synchronized void stop(final JobEvent.Signalled signal)
    {
        stopped = signal;
        events.add(signal);
        notifyAll();
    }

    /** Waits before a restart; returns the signal that ended the job, or null. */
    private synchronized JobEvent.Signalled pause(final long timeMs) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        long leftMs = timeMs;
        while (stopped == null && leftMs > 0)
        {
            wait(leftMs);
            leftMs = timeMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
        }
        return stopped;
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
