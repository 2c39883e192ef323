/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** What a {@link Coordinator} tells its owner. Called on the coordinator's thread; must not block. */
public interface CoordinatorListener
{
    /**
     * A rank proved that it knows the secret and is part of the job.
     *
     * @param rank the rank that joined.
     * @param host it runs on.
     * @param pid  its process.
     */
    default void onJoined(final int rank, final String host, final long pid)
    {
    }

    /**
     * A rank left in good order: the end of its process is no failure.
     *
     * @param rank the rank that left.
     */
    default void onLeft(final int rank)
    {
    }

    /**
     * A rank has been waiting for a while, and waits yet. Told every {@link Bootstrap#WAIT_REPORT_INTERVAL_NS}, or more
     * often, for as long as the wait lasts.
     *
     * @param rank     the rank that waits.
     * @param peer     rank that it waits for, or -1 if that is not known.
     * @param call     description of the call, for messages.
     * @param waitedNs duration of the wait so far, in nanoseconds.
     */
    default void onWaiting(final int rank, final int peer, final String call, final long waitedNs)
    {
    }

    /**
     * The first failure of the job: a rank's abort, a missing heartbeat, or what the launcher said itself. All ranks
     * are being told.
     *
     * @param failure the first one.
     */
    default void onFailure(final RankFailure failure)
    {
    }
}
