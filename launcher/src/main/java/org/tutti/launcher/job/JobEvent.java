/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.agent.AgentMessage;

/** An event of a job, handled by {@link JobControl}. */
sealed interface JobEvent
{
    /**
     * A host is ready to start ranks.
     *
     * @param host  the index of the host in the placement.
     * @param ready the message of the host's agent.
     */
    record HostReady(int host, AgentMessage.Ready ready) implements JobEvent
    {
    }

    /**
     * The agent of a host sent a message.
     *
     * @param host    the name of the host.
     * @param message the message.
     */
    record AgentSaid(String host, AgentMessage message) implements JobEvent
    {
    }

    /**
     * The agent of a host was lost, and its ranks with it.
     *
     * @param host  the name of the host.
     * @param cause the cause in one line.
     */
    record AgentLost(String host, String cause) implements JobEvent
    {
    }

    /**
     * The reaper of the launcher's host was killed.
     *
     * @param host  the name of the host.
     * @param cause the cause in one line.
     */
    record ReaperLost(String host, String cause) implements JobEvent
    {
    }

    /**
     * A notice from another host, which does not end the job.
     *
     * @param text the notice in one line.
     */
    record Noticed(String text) implements JobEvent
    {
    }

    /**
     * A rank joined the coordinator.
     *
     * @param rank the rank.
     * @param pid  the pid of the rank, or 0 if unknown.
     */
    record Joined(int rank, long pid) implements JobEvent
    {
        Joined(final int rank)
        {
            this(rank, 0);
        }
    }

    /**
     * A rank has been waiting for some time, and still waits.
     *
     * @param rank     the rank that waits.
     * @param peer     the rank that it waits for, or -1 if unknown.
     * @param call     the name of the waiting call, as shown in messages.
     * @param waitedNs the duration of the wait so far, in nanoseconds.
     */
    record Waiting(int rank, int peer, String call, long waitedNs) implements JobEvent
    {
    }

    /**
     * The coordinator notified all ranks of a failure.
     *
     * @param failure the first failure.
     */
    record Failed(RankFailure failure) implements JobEvent
    {
    }

    /**
     * The launcher received a signal.
     *
     * @param name   the name of the signal without SIG.
     * @param number the number of the signal.
     */
    record Signalled(String name, int number) implements JobEvent
    {
    }
}
