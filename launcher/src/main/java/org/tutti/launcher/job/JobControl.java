/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.BitSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.tutti.bootstrap.Coordinator;
import org.tutti.bootstrap.JobEnvironment;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.io.Console;
import org.tutti.launcher.io.ExitCode;

/**
 * Watches a job and ends it at the first failure, signal or timeout: first by a message from the coordinator, then by
 * SIGTERM, then by SIGKILL. Single-threaded; events arrive in a queue.
 */
final class JobControl
{
    private static final long LAST_OUTPUT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    /** A process that outlives SIGKILL by this time is stuck in the kernel, such as in device I/O. */
    private static final long KILL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final JobSpec spec;
    private final BlockingQueue<JobEvent> events;
    private final RankHosts hosts;
    private final Coordinator coordinator;
    private final StartupTimes times;
    private final Console console;
    private final StallDetector stalls;
    private final BindingReport bindings;
    private final JobOutcome outcome;
    private final OutputEnd outputEnd;
    private final BitSet running = new BitSet();
    private final BitSet joined = new BitSet();
    private final int[] exitCodes;
    /** The maximum duration of this start of the job; not used if the job has none. */
    private final long limitNs;

    private long startNs;
    private boolean isSignalled;
    private boolean isTerminated;
    private long timeoutNs = Long.MAX_VALUE;
    private long terminateNs = Long.MAX_VALUE;
    private long killNs = Long.MAX_VALUE;
    private long giveUpNs = Long.MAX_VALUE;

    /** The hosts of a job, each with an agent. */
    interface RankHosts
    {
        /** Returns the name of a rank's host. */
        String name(int rank);

        /** Sends a message to the agent of a rank's host. */
        void send(int rank, AgentMessage message);
    }

    /**
     * @param usedNs the time that former starts of the job took, in nanoseconds; counts for the job's timeout.
     */
    JobControl(
        final JobSpec spec,
        final BlockingQueue<JobEvent> events,
        final RankHosts hosts,
        final Coordinator coordinator,
        final StartupTimes times,
        final Console console,
        final long usedNs)
    {
        this.spec = spec;
        limitNs = Math.max(0, spec.timeoutNs() - usedNs);
        this.events = events;
        this.hosts = hosts;
        this.coordinator = coordinator;
        this.times = times;
        this.console = console;
        stalls = new StallDetector(spec, hosts, console, JobEnvironment.stallTimeoutNs(System.getenv()));
        bindings = new BindingReport(spec.size());
        outcome = new JobOutcome(spec);
        outputEnd = new OutputEnd(spec, events, console, outcome);
        exitCodes = new int[spec.size()];
        running.set(0, spec.size());
    }

    /** Waits for the end of the job, and ends it at the first failure. */
    void awaitEnd() throws InterruptedException
    {
        startNs = System.nanoTime();
        timeoutNs = spec.timeoutNs() == 0 ? Long.MAX_VALUE : limitNs;
        while (!running.isEmpty())
        {
            final long nowNs = System.nanoTime() - startNs;
            if (nowNs >= giveUpNs)
            {
                console.say("tutti: " + MessageFormat.ranks(running) + " did not end within " +
                    DurationFormat.format(KILL_TIMEOUT_NS) + " after SIGKILL; leaving them to the kernel");
                break;
            }
            checkDeadlines(nowNs);
            if (!outcome.isEnding())
            {
                stalls.check(running, nowNs);
            }
            final long nextNs = Math.min(outcome.isEnding() ? Long.MAX_VALUE : Math.min(timeoutNs, stalls.nextNs()),
                Math.min(terminateNs, Math.min(killNs, giveUpNs))) - nowNs;
            final JobEvent event = events.poll(nextNs, TimeUnit.NANOSECONDS);
            if (event != null)
            {
                handle(event, System.nanoTime() - startNs);
            }
        }
        awaitLastOutput();
    }

    /** Returns how the job ends, as far as it is known. */
    JobOutcome outcome()
    {
        return outcome;
    }

    /**
     * Waits, after the end of the ranks, until all output is written, as {@link OutputEnd#await}. May be called again
     * for messages of the launcher.
     *
     * @param output the output to wait for.
     * @return the job's exit code: 0, or that of the first rank that failed, or the code for a signal, the timeout or
     *         output that could not be written.
     */
    int awaitOutput(final OutputEnd.PendingOutput output) throws InterruptedException
    {
        outputEnd.await(output, limitNs - (System.nanoTime() - startNs));
        return outcome.exitCode();
    }

    private void handle(final JobEvent event, final long nowNs)
    {
        switch (event)
        {
            case JobEvent.AgentSaid said -> handle(said.host(), said.message(), nowNs);
            case JobEvent.AgentLost lost ->
            {
                // Its ranks have ended or are out of reach; those of other hosts are ended as usual.
                final BitSet gone = new BitSet();
                IntStream.range(0, spec.size()).filter(rank -> hosts.name(rank).equals(lost.host())).forEach(gone::set);
                running.andNot(gone);
                outcome.lost(lost.host());
                fail(new RankFailure(
                    -1, lost.host(), 0,
                    "lost " + lost.host() + " with " + MessageFormat.ranks(gone) + ": " + lost.cause()),
                    ExitCode.FAILURE, nowNs);
            }
            case JobEvent.Joined rank ->
            {
                joined.set(rank.rank());
                stalls.onJoined(rank.rank(), rank.pid(), nowNs);
                if (joined.cardinality() == spec.size())
                {
                    times.mark("all ranks joined");
                }
            }
            case JobEvent.ReaperLost lost ->
                fail(new RankFailure(-1, lost.host(), 0, lost.cause()), ExitCode.FAILURE, nowNs);
            case JobEvent.Noticed notice -> console.say("tutti: " + notice.text());
            case JobEvent.Waiting waiting -> stalls.onWaiting(waiting, nowNs);
            case JobEvent.HostReady ready -> throw new IllegalStateException("duplicate ready message: " + ready);
            case JobEvent.Failed failed -> fail(failed.failure(), ExitCode.FAILURE, nowNs);
            case JobEvent.Signalled signal -> stop(signal, nowNs);
        }
    }

    private void handle(final String host, final AgentMessage message, final long nowNs)
    {
        switch (message)
        {
            case AgentMessage.Started started ->
            {
                stalls.onStarted(started.rank(), started.pid());
                times.markStarted(spec.size());
            }
            case AgentMessage.Bound bound ->
            {
                final String report = bindings.add(bound.rank(), host, bound.cpus());
                if (report != null)
                {
                    console.say(report);
                }
            }
            case AgentMessage.State state ->
            {
                coordinator.processState(state.rank(), state.pid(), state.state());
                if (!outcome.isEnding())
                {
                    stalls.onState(state.rank(), state.pid(), state.state());
                }
            }
            case AgentMessage.NotStarted notStarted ->
            {
                running.clear(notStarted.rank());
                final boolean isFirst = !outcome.isEnding();
                fail(new RankFailure(notStarted.rank(), host, 0, "could not be started: " + notStarted.cause()),
                    ExitCode.FAILURE, nowNs);
                if (isFirst)
                {
                    outcome.mayRestart(false);
                }
            }
            case AgentMessage.Ended ended -> ended(host, ended, nowNs);
            case AgentMessage.LastOutput last ->
            {
                if (outcome.isFailureOf(last.rank()))
                {
                    outcome.lastOutput(last.lines());
                }
            }
            case AgentMessage.OutputLost lost ->
            {
                if (!outcome.isEnding())
                {
                    outputEnd.lost(lost);
                    coordinator.abort("the job's output can no longer be written");
                    terminate(nowNs);
                }
            }
            default -> throw new IllegalArgumentException("unexpected message from an agent: " + message);
        }
    }

    private void ended(final String host, final AgentMessage.Ended ended, final long nowNs)
    {
        final int rank = ended.rank();
        running.clear(rank);
        exitCodes[rank] = ended.code();
        if (ended.code() == 0)
        {
            // Checked before the job can end: a rank that joined must have left.
            final RankFailure failure = coordinator.rankExited(rank);
            if (failure != null)
            {
                fail(failure, ExitCode.FAILURE, nowNs);
            }
            return;
        }
        if (outcome.isFailureOf(rank) && !isTerminated)
        {
            outcome.exitCode(ended.code());
        }
        fail(new RankFailure(rank, host, ended.pid(), ExitCode.describe(ended.code())), ended.code(), nowNs);
    }

    /** Ends the job at its first failure; ranks that joined are notified, and get time to report it themselves. */
    private void fail(final RankFailure failure, final int code, final long nowNs)
    {
        final boolean hasCode = failure.rank() >= 0 && exitCodes[failure.rank()] != 0;
        if (!outcome.fail(failure, hasCode ? exitCodes[failure.rank()] : code))
        {
            return;
        }
        outcome.mayRestart(true);
        if (failure.rank() >= 0)
        {
            // The reason of a rank that aborted the job and then exited may arrive after its exit was seen.
            outcome.refine(coordinator.rankFailed(failure));
        }
        else
        {
            coordinator.abort(failure.cause());
        }
        if (running.intersects(joined))
        {
            signal("TERM", false);
            terminateNs = nowNs + spec.graceNs();
        }
        else
        {
            terminate(nowNs);
        }
    }

    private void stop(final JobEvent.Signalled signal, final long nowNs)
    {
        outcome.stopped();
        if (isSignalled || !outcome.end(ExitCode.ofSignal(signal.number())))
        {
            killNs = nowNs;
            isSignalled = true;
            return;
        }
        isSignalled = true;
        signal(signal.name(), true);
        coordinator.abort("stopped by SIG" + signal.name());
        killNs = nowNs + spec.graceNs();
    }

    private void checkDeadlines(final long nowNs)
    {
        if (nowNs >= timeoutNs && outcome.end(ExitCode.TIMED_OUT))
        {
            console.say("tutti: the job exceeded --timeout " + DurationFormat.format(spec.timeoutNs()) + ": ending " +
                MessageFormat.ranks(running) + " of " + spec.size());
            outcome.stopped();
            coordinator.abort("the job exceeded the timeout of " + DurationFormat.format(spec.timeoutNs()));
            terminate(nowNs);
        }
        if (nowNs >= terminateNs)
        {
            terminate(nowNs);
        }
        if (nowNs >= killNs)
        {
            killNs = Long.MAX_VALUE;
            terminateNs = Long.MAX_VALUE;
            giveUpNs = nowNs + KILL_TIMEOUT_NS;
            signal("KILL", true);
        }
    }

    private void terminate(final long nowNs)
    {
        isTerminated = true;
        terminateNs = Long.MAX_VALUE;
        killNs = nowNs + spec.graceNs();
        signal("TERM", true);
    }

    /** Sends a signal to all running ranks, or only to those that never joined and so got no notification. */
    private void signal(final String name, final boolean isForAll)
    {
        running.stream().filter(rank -> isForAll || !joined.get(rank))
            .forEach(rank -> hosts.send(rank, new AgentMessage.Signal(rank, name)));
    }

    private void awaitLastOutput() throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (outcome.failedRank() >= 0 && exitCodes[outcome.failedRank()] != 0 && !outcome.hasLastOutput())
        {
            final JobEvent event =
                events.poll(LAST_OUTPUT_TIMEOUT_NS - (System.nanoTime() - startNs), TimeUnit.NANOSECONDS);
            if (event == null)
            {
                return;
            }
            if (event instanceof JobEvent.AgentSaid said && said.message() instanceof AgentMessage.LastOutput last)
            {
                handle(said.host(), last, 0);
            }
            else if (event instanceof JobEvent.Signalled)
            {
                outcome.stopped();
            }
            else if (event instanceof JobEvent.Noticed notice)
            {
                console.say("tutti: " + notice.text());
            }
            else if (event instanceof JobEvent.AgentLost lost)
            {
                outcome.lost(lost.host());
            }
        }
    }
}
