/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessState;

/**
 * Watches whether the process of a rank is stopped and, on request, what its threads do. Used by one thread, which
 * looks once a second.
 */
public final class RankWatch
{
    /** The kernel counts processor time in steps of 10 ms: within less than this a busy process may seem idle. */
    private static final long ACTIVITY_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final long startedPid;
    private ProcessIdentity process;
    private ProcessActivity activity;
    private long activityNs;
    /** The state that was last reported, or null. */
    private ProcessState reported;
    private boolean wasStopped;

    /**
     * Watches the process that was started.
     *
     * @param pid the process.
     */
    public RankWatch(final long pid)
    {
        startedPid = pid;
        process = ProcessIdentity.of(pid);
    }

    /**
     * Starts to examine what the process does.
     *
     * @param pid the process that joined the job, which may be a child of the one that was started, or 0.
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

    /** Whether a process descends from the one that was started: in a container the number may be another one's. */
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
     * The process that is watched: the one that joined the job, once that is known.
     *
     * @return its pid.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Looks at the process.
     *
     * @return the state if it changed since the last call, else null.
     */
    public ProcessState look()
    {
        final boolean isStopped = process.isStopped();
        // Debuggers and tracers stop a process for a moment.
        final boolean isStoppedYet = isStopped && wasStopped;
        wasStopped = isStopped;
        final ProcessState state;
        if (isStoppedYet)
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
