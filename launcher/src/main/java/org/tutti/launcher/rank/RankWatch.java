/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessState;

/**
 * Watches whether the process of a rank is stopped and, on request, the activity of its threads. Used by one thread,
 * which polls once a second.
 */
public final class RankWatch
{
    /**
     * Minimum time between samples: the kernel counts CPU time in steps of 10 ms, so a busy process may seem idle
     * over a shorter time.
     */
    private static final long ACTIVITY_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final long startedPid;
    private ProcessIdentity process;
    private ProcessActivity activity;
    private long activityNs;
    /** The last reported state, or null. */
    private ProcessState reported;
    private boolean wasStopped;

    /**
     * Creates a watch of a rank's process.
     *
     * @param pid the pid of the process that was started for the rank.
     */
    public RankWatch(final long pid)
    {
        startedPid = pid;
        process = ProcessIdentity.of(pid);
    }

    /**
     * Starts sampling the activity of the process.
     *
     * @param pid the process that joined the job, possibly a descendant of the process that was started; 0 if unknown.
     */
    public void examine(final long pid)
    {
        if (pid != 0 && pid != process.pid() && isStarted(pid))
        {
            process = ProcessIdentity.of(pid);
        }
        activity = new ProcessActivity(process);
        activityNs = System.nanoTime();
    }

    /**
     * Returns whether a process descends from the process that was started for the rank: a pid from within a container
     * may denote another process.
     */
    private boolean isStarted(final long pid)
    {
        ProcessHandle ancestor = ProcessHandle.of(pid).orElse(null);
        while (ancestor != null && ancestor.pid() != startedPid)
        {
            ancestor = ancestor.parent().orElse(null);
        }
        return ancestor != null;
    }

    /**
     * Returns the process that is watched: the process that joined the job, once known.
     *
     * @return the pid.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Polls the process.
     *
     * @return the state if it has changed since the last call, else null.
     */
    public ProcessState look()
    {
        final boolean isStopped = process.isStopped();
        // Debuggers and tracers stop a process briefly, so a stop counts only if seen twice.
        final boolean isStillStopped = isStopped && wasStopped;
        wasStopped = isStopped;
        final ProcessState state;
        if (isStillStopped)
        {
            state = ProcessState.STOPPED;
        }
        else if (isStopped)
        {
            state = reported;
        }
        else if (!process.isAlive())
        {
            state = ProcessState.GONE;
        }
        else if (activity != null && System.nanoTime() - activityNs >= ACTIVITY_NS)
        {
            state = activity.state();
            activity = null;
        }
        else
        {
            state = reported == ProcessState.STOPPED ? ProcessState.RUNNING : reported;
        }
        final boolean isChanged = state != reported;
        reported = state;
        return isChanged ? state : null;
    }
}
