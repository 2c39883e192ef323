/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

/** What a {@link Coordinator} tells whoever started it. Called on the coordinator's thread; must not block. */
public interface CoordinatorListener
{
    /**
     * A rank proved that it knows the secret and is part of the job.
     *
     * @param rank that joined.
     * @param host it runs on.
     * @param pid  its process.
     */
    default void onJoined(final int rank, final String host, final long pid)
    {
    }

    /**
     * A rank left in good order: the end of its process is no failure.
     *
     * @param rank that left.
     */
    default void onLeft(final int rank)
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
