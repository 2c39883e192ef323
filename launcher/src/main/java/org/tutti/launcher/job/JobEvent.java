/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.job;

import org.tutti.bootstrap.RankFailure;
import org.tutti.launcher.agent.AgentMessage;

/** Something that happened to a job, as its control hears of it. */
sealed interface JobEvent
{
    /**
     * Ranks can be started on a host.
     *
     * @param host  its number in the placement.
     * @param ready what its agent says of it.
     */
    record HostReady(int host, AgentMessage.Ready ready) implements JobEvent
    {
    }

    /**
     * An agent of a host said something.
     *
     * @param host    it runs on.
     * @param message it sent.
     */
    record AgentSaid(String host, AgentMessage message) implements JobEvent
    {
    }

    /**
     * The agent of a host is gone, and its ranks with it.
     *
     * @param host  it ran on.
     * @param cause one line for people.
     */
    record AgentLost(String host, String cause) implements JobEvent
    {
    }

    /**
     * The reaper of the launcher's host was killed.
     *
     * @param host  it ran on.
     * @param cause one line for people.
     */
    record ReaperLost(String host, String cause) implements JobEvent
    {
    }

    /**
     * Something happened on another host that does not end the job.
     *
     * @param text one line for people.
     */
    record Noticed(String text) implements JobEvent
    {
    }

    /**
     * A rank joined the coordinator.
     *
     * @param rank that did.
     * @param pid  its process, or 0 if unknown.
     */
    record Joined(int rank, long pid) implements JobEvent
    {
        Joined(final int rank)
        {
            this(rank, 0);
        }
    }

    /**
     * A rank has been waiting for a while, and waits yet.
     *
     * @param rank     that waits.
     * @param peer     it waits for, or -1 if unknown.
     * @param call     what it calls, for people.
     * @param waitedNs how long, in nanoseconds.
     */
    record Waiting(int rank, int peer, String call, long waitedNs) implements JobEvent
    {
    }

    /**
     * The coordinator told all ranks of a failure.
     *
     * @param failure the first one.
     */
    record Failed(RankFailure failure) implements JobEvent
    {
    }

    /**
     * The launcher got a signal.
     *
     * @param name   without SIG.
     * @param number the kernel's.
     */
    record Signalled(String name, int number) implements JobEvent
    {
    }
}
