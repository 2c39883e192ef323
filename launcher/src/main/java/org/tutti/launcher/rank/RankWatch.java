/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.rank;

import java.util.concurrent.TimeUnit;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessState;

/**
 * Looks once a second whether the process of a rank is stopped, and, when asked, what its threads do. For one thread.
 */
public final class RankWatch
{
    /** Of processor time the kernel tells 10 ms at a time: in less than this a process that runs may seem idle. */
    private static final long ACTIVITY_NS = TimeUnit.MILLISECONDS.toNanos(300);

    private final long startedPid;
    private ProcessIdentity process;
    private ProcessActivity activity;
    private long activityNs;
    /** What the launcher knows, or null. */
    private ProcessState told;
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
     * Begins to look what the process does.
     *
     * @param pid of the process that joined the job, which a wrapper that was started may have started, or 0.
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

    /** The process that is watched: the one that joined the job, once that is known. */
    public long pid()
    {
        return process.pid();
    }

    /** Looks again; returns the state if it is news to the launcher, else null. */
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
            state = told;
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
            state = told == ProcessState.STOPPED ? ProcessState.RUNNING : told;
        }
        final boolean isNews = state != told;
        told = state;
        return isNews ? state : null;
    }
}
