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
import org.tutti.launcher.agent.AgentMessage;
import org.tutti.launcher.io.Console;

/**
 * Tells people what holds a job up: ranks that are stopped, ranks that have not joined, and ranks that have waited for
 * others for long, each once. Used by the thread that controls the job, by whose clock all times are.
 */
final class Stalls
{
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(5);
    /** A rank that has not told for so long that it waits does not wait any more. */
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

    /** A rank that waits, as it told last. */
    private static final class Wait
    {
        private int peer;
        private String call;
        private long startNs;
        private long heardNs;
        private boolean isTold;
    }

    /**
     * For a job.
     *
     * @param spec    of the job.
     * @param hosts   of its ranks.
     * @param console for what there is to tell.
     * @param stallNs how long a rank may wait before all waits are told, in nanoseconds; 0 for ever.
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

    /** The host of a rank tells what its process does. */
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
        final boolean isSame = event.call().equals(wait.call) && nowNs - wait.heardNs < WAIT_NS &&
            startNs - wait.startNs < WAIT_NS;
        wait.isTold &= isSame;
        wait.startNs = isSame ? Math.min(wait.startNs, startNs) : startNs;
        wait.peer = event.peer();
        wait.call = event.call();
        wait.heardNs = nowNs;
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

    /** Tells what has been so for long enough; to be called when {@link #nextNs} has come. */
    void check(final BitSet running, final long nowNs)
    {
        waits.values().removeIf(wait -> nowNs - wait.heardNs >= WAIT_NS);
        if (nowNs >= lateNs)
        {
            lateNs = Long.MAX_VALUE;
            final BitSet late = (BitSet)running.clone();
            late.andNot(joined);
            if (!late.isEmpty())
            {
                say(Wording.ranks(late) + (late.cardinality() == 1 ? " has" : " have") + " not joined the job " +
                    Wording.duration(JOIN_NS) + " after the others" + stoppedOf(late));
            }
        }
        if (nowNs >= nextStallNs())
        {
            tellStall(nowNs);
        }
    }

    /** When to check next. */
    long nextNs()
    {
        return Math.min(lateNs, nextStallNs());
    }

    private long nextStallNs()
    {
        return stallNs == 0 ? Long.MAX_VALUE : waits.values().stream()
            .filter(wait -> !wait.isTold).mapToLong(wait -> wait.startNs + stallNs).min().orElse(Long.MAX_VALUE);
    }

    private void tellStall(final long nowNs)
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
            if (!wait.isTold && lines++ < LINES)
            {
                say(wait.call + " has waited " + Wording.duration(nowNs - wait.startNs) +
                    (wait.peer < 0 ? "" : " for rank " + wait.peer));
            }
            wait.isTold = true;
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
