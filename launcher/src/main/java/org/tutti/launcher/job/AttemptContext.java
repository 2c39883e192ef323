/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import java.util.Set;
import java.util.concurrent.BlockingQueue;

import org.tutti.launcher.io.Console;

/**
 * What the parts of one start of a job share.
 *
 * @param spec    the specification of the job.
 * @param start   what differs from other starts of the job.
 * @param events  the queue of the events of this start.
 * @param times   the times of the startup steps.
 * @param console the console for messages.
 */
record AttemptContext(
    JobSpec spec, Start start, BlockingQueue<JobEvent> events, StartupTimes times, Console console)
{
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
        /** Returns the time that former starts took, in nanoseconds. */
        long usedNs()
        {
            return restart == 0 ? 0 : System.nanoTime() - firstNs;
        }
    }
}
