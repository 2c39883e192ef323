/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.BitSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.ProcessStates;
import org.tutti.bootstrap.store.DurationFormat;
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.io.Console;

/**
 * Reports stalls of a job, each once: ranks that are stopped, that have not joined, or that have waited long for
 * others. Used by the thread that controls the job; all times are in nanoseconds since the start of {@link
 * JobControl#awaitEnd}.
 */
final class StallDetector
{
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** A rank that has not reported its wait for this long no longer waits. */
    private static final long WAIT_NS = 3 * Bootstrap.WAIT_REPORT_INTERVAL_NS;
    private static final long EXAMINE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int LINES = 8;

    private final int size;
    private final JobControl.RankHosts hosts;
    private final Console console;
    private final long stallNs;
    private final boolean isQuiet;
    private final Map<Integer, Wait> waits = new TreeMap<>();
    private final Map<Integer, Long> examinedNs = new TreeMap<>();
    private final ProcessStates states = new ProcessStates();
    private final BitSet joined = new BitSet();
    private final BitSet stopped = new BitSet();
    private final long[] pids;
    private long lateNs = Long.MAX_VALUE;

    /** The last report of a waiting rank. */
    private static final class Wait
    {
        private int peer;
        private String call;
        private long startNs;
        private long reportedNs;
        private boolean isReported;
    }

    /**
     * Creates the stall detection of a job.
     *
     * @param spec    the specification of the job.
     * @param hosts   the hosts of its ranks.
     * @param console the console for the reports.
     * @param stallNs the time in nanoseconds that a rank may wait before all waits are reported; 0 for never.
     */
    StallDetector(final JobSpec spec, final JobControl.RankHosts hosts, final Console console, final long stallNs)
    {
        size = spec.size();
        isQuiet = spec.isQuiet();
        this.hosts = hosts;
        this.console = console;
        this.stallNs = stallNs;
        pids = new long[size];
    }

    void onStarted(final int rank, final long pid)
    {
        pids[rank] = pid;
    }

    void onJoined(final int rank, final long pid, final long nowNs)
    {
        joined.set(rank);
        if (pid != 0)
        {
            pids[rank] = pid;
            examine(rank, nowNs);
        }
        lateNs = joined.cardinality() == size ? Long.MAX_VALUE : nowNs + JOIN_NS;
    }

    /** Handles a report of the state of a rank's process. */
    void onState(final int rank, final long pid, final ProcessState state)
    {
        states.set(rank, pid, state);
        pids[rank] = pid;
        final boolean isStopped = state == ProcessState.STOPPED;
        if (isStopped != stopped.get(rank))
        {
            stopped.set(rank, isStopped);
            say(isStopped ? name(rank) + " is stopped: resume it by 'kill -CONT " + pid + "' on that host" :
                name(rank) + " was resumed");
        }
    }

    void onWaiting(final JobEvent.Waiting event, final long nowNs)
    {
        final Wait wait = waits.computeIfAbsent(event.rank(), rank -> new Wait());
        final long startNs = nowNs - event.waitedNs();
        // Reports of one wait give the same start time, up to the latency of the message. Consecutive calls may have
        // the same name, such as barriers.
        final boolean isSame = event.call().equals(wait.call) && nowNs - wait.reportedNs < WAIT_NS &&
            startNs - wait.startNs < WAIT_NS;
        wait.isReported &= isSame;
        wait.startNs = isSame ? Math.min(wait.startNs, startNs) : startNs;
        wait.peer = event.peer();
        wait.call = event.call();
        wait.reportedNs = nowNs;
        if (event.peer() >= 0)
        {
            examine(event.peer(), nowNs);
        }
    }

    private void examine(final int rank, final long nowNs)
    {
        final Long last = examinedNs.get(rank);
        if (last == null || nowNs - last >= EXAMINE_INTERVAL_NS)
        {
            examinedNs.put(rank, nowNs);
            hosts.send(rank, new AgentMessage.Watch(rank, joined.get(rank) ? pids[rank] : 0));
        }
    }

    /** Reports stalls that have lasted long enough; to be called at {@link #nextNs}. */
    void check(final BitSet running, final long nowNs)
    {
        waits.values().removeIf(wait -> nowNs - wait.reportedNs >= WAIT_NS);
        if (nowNs >= lateNs)
        {
            lateNs = Long.MAX_VALUE;
            final BitSet late = (BitSet)running.clone();
            late.andNot(joined);
            if (!late.isEmpty())
            {
                say(MessageFormat.ranks(late) + (late.cardinality() == 1 ? " has" : " have") + " not joined the job " +
                    DurationFormat.format(JOIN_NS) + " after the others" + stoppedOf(late));
            }
        }
        if (nowNs >= nextStallNs())
        {
            reportStall(nowNs);
        }
    }

    /** Returns the time of the next check. */
    long nextNs()
    {
        return Math.min(lateNs, nextStallNs());
    }

    private long nextStallNs()
    {
        return stallNs == 0 ? Long.MAX_VALUE : waits.values().stream()
            .filter(wait -> !wait.isReported).mapToLong(wait -> wait.startNs + stallNs).min().orElse(Long.MAX_VALUE);
    }

    private void reportStall(final long nowNs)
    {
        final BitSet causes = new BitSet();
        int lines = 0;
        for (final Map.Entry<Integer, Wait> entry : waits.entrySet())
        {
            final Wait wait = entry.getValue();
            if (wait.peer >= 0 && !waits.containsKey(wait.peer))
            {
                causes.set(wait.peer);
            }
            // Includes waits that began later: only all of them together show which rank is late.
            if (!wait.isReported && lines++ < LINES)
            {
                say(wait.call + " has waited " + DurationFormat.formatMeasured(nowNs - wait.startNs) +
                    (wait.peer < 0 ? "" : " for rank " + wait.peer));
            }
            wait.isReported = true;
        }
        if (lines > LINES)
        {
            say((lines - LINES) + " more ranks are waiting");
        }
        causes.stream().limit(LINES).forEach(rank -> say(name(rank) + " is not waiting for another rank" +
            (states.get(rank) == null ? "" : ": its process " + states.get(rank).words())));
    }

    private String stoppedOf(final BitSet late)
    {
        final BitSet both = (BitSet)late.clone();
        both.and(stopped);
        return both.isEmpty() ? "" : "; " + MessageFormat.ranks(both) +
            (both.cardinality() == 1 ? " is" : " are") + " stopped";
    }

    private String name(final int rank)
    {
        return "rank " + rank + " on " + hosts.name(rank) + (pids[rank] == 0 ? "" : " (pid " + pids[rank] + ")");
    }

    private void say(final String line)
    {
        if (!isQuiet)
        {
            console.say("tutti: " + line);
        }
    }
}
