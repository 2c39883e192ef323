/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** Receives events of a {@link Coordinator}. Called on the coordinator's thread; must not block. */
public interface CoordinatorListener
{
    /**
     * Called when a rank has been authenticated and has joined the job.
     *
     * @param rank the rank that joined.
     * @param host the host of the rank.
     * @param pid  the pid of the rank.
     */
    default void onJoined(final int rank, final String host, final long pid)
    {
    }

    /**
     * Called when a rank has left cleanly: from now on, the end of the rank's process is not a failure.
     *
     * @param rank the rank that left.
     */
    default void onLeft(final int rank)
    {
    }

    /**
     * Called when a rank has been waiting for some time and still waits. Repeated every {@link
     * Bootstrap#WAIT_REPORT_INTERVAL_NS}, or more often, for as long as the wait lasts.
     *
     * @param rank     the waiting rank.
     * @param peer     the rank waited for, or -1 if unknown.
     * @param call     the description of the call, for messages.
     * @param waitedNs the duration of the wait so far, in nanoseconds.
     */
    default void onWaiting(final int rank, final int peer, final String call, final long waitedNs)
    {
    }

    /**
     * Called for the first failure of the job: a rank's abort, a missing heartbeat, or a failure that the launcher
     * reported. All ranks are being notified.
     *
     * @param failure the first failure.
     */
    default void onFailure(final RankFailure failure)
    {
    }
}
