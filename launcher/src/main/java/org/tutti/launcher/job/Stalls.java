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
 * Reports what stalls a job: ranks that are stopped, ranks that have not joined, and ranks that have waited long for
 * others, each once. Used by the thread that controls the job; all times are of its clock.
 */
final class Stalls
{
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** A rank that has not reported its wait for this long does not wait any more. */
    private static final long WAIT_NS = 3 * Bootstrap.WAIT_REPORT_INTERVAL_NS;
    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int LINES = 8;

    private final int size;
    private final JobControl.Hosts hosts;
    private final Console console;
    private final long stallNs;
    private final boolean isQuiet;
    private final Map<Integer, Wait> waits = new TreeMap<>();
    private final Map<Integer, Long> lookedNs = new TreeMap<>();
    private final ProcessStates states = new ProcessStates();
    private final BitSet joined = new BitSet();
    private final BitSet stopped = new BitSet();
    private final long[] pids;
    private long lateNs = Long.MAX_VALUE;

    /** The last report of a rank that waits. */
    private static final class Wait
    {
        private int peer;
        private String call;
        private long startNs;
        private long reportedNs;
        private boolean isReported;
    }

    /**
     * Creates the reports of a job.
     *
     * @param spec    the specification of the job.
     * @param hosts   the hosts of its ranks.
     * @param console the console for the reports.
     * @param stallNs the wait of a rank after which all waits are reported, in nanoseconds; 0 for never.
     */
    Stalls(final JobSpec spec, final JobControl.Hosts hosts, final Console console, final long stallNs)
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
            look(rank, nowNs);
        }
        lateNs = joined.cardinality() == size ? Long.MAX_VALUE : nowNs + JOIN_NS;
    }

    /** The agent of a rank reports the state of its process. */
    void onState(final int rank, final long pid, final ProcessState state)
    {
        states.set(rank, pid, state);
        pids[rank] = pid;
        final boolean isStopped = state == ProcessState.STOPPED;
        if (isStopped != stopped.get(rank))
        {
            stopped.set(rank, isStopped);
            say(isStopped ? name(rank) + " is stopped: 'kill -CONT " + pid + "' there lets it go on" :
                name(rank) + " goes on: it is not stopped any more");
        }
    }

    void onWaiting(final JobEvent.Waiting event, final long nowNs)
    {
        final Wait wait = waits.computeIfAbsent(event.rank(), rank -> new Wait());
        final long startNs = nowNs - event.waitedNs();
        // The same wait began when it did before, but for the time that the message took. Calls of one name may follow
        // one another, such as barriers.
        final boolean isSame = event.call().equals(wait.call) && nowNs - wait.reportedNs < WAIT_NS &&
            startNs - wait.startNs < WAIT_NS;
        wait.isReported &= isSame;
        wait.startNs = isSame ? Math.min(wait.startNs, startNs) : startNs;
        wait.peer = event.peer();
        wait.call = event.call();
        wait.reportedNs = nowNs;
        if (event.peer() >= 0)
        {
            look(event.peer(), nowNs);
        }
    }

    private void look(final int rank, final long nowNs)
    {
        final Long last = lookedNs.get(rank);
        if (last == null || nowNs - last >= LOOK_INTERVAL_NS)
        {
            lookedNs.put(rank, nowNs);
            hosts.send(rank, new AgentMessage.Watch(rank, joined.get(rank) ? pids[rank] : 0));
        }
    }

    /** Reports what has lasted long enough; to be called at {@link #nextNs}. */
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
                say(Wording.ranks(late) + (late.cardinality() == 1 ? " has" : " have") + " not joined the job " +
                    DurationFormat.format(JOIN_NS) + " after the others" + stoppedOf(late));
            }
        }
        if (nowNs >= nextStallNs())
        {
            reportStall(nowNs);
        }
    }

    /** The time of the next check. */
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
            // Those too that began later: only all of them show which rank is waited for.
            if (!wait.isReported && lines++ < LINES)
            {
                say(wait.call + " has waited " + DurationFormat.formatMeasured(nowNs - wait.startNs) +
                    (wait.peer < 0 ? "" : " for rank " + wait.peer));
            }
            wait.isReported = true;
        }
        if (lines > LINES)
        {
            say((lines - LINES) + " more ranks wait");
        }
        causes.stream().limit(LINES).forEach(rank -> say(name(rank) + " waits for no rank" +
            (states.get(rank) == null ? "" : ": its process " + states.get(rank).words())));
    }

    private String stoppedOf(final BitSet late)
    {
        final BitSet both = (BitSet)late.clone();
        both.and(stopped);
        return both.isEmpty() ? "" : "; " + Wording.ranks(both) +
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
