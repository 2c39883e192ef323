/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.aeron;

import org.tutti.bootstrap.ProcessIdentity;
import org.tutti.bootstrap.ProcessWatch;
import org.tutti.bootstrap.RankFailure;
import org.tutti.bootstrap.store.DurationFormat;

/**
 * Detects whether a member's coordinator has failed, and whether it answers. One thread watches; {@link #isStopped} and
 * {@link #problem} may be called from any thread once the member has joined.
 */
final class CoordinatorWatch implements AutoCloseable
{
    /** A coordinator sends a heartbeat each second; after this silence it is considered unresponsive. */
    private static final long SILENCE_NS = 3 * Protocol.HEARTBEAT_INTERVAL_NS;

    private final MemberHandshake handshake;
    /** The process on this host whose end ends the job, if any: the owner of the media driver, or rank 0. */
    private volatile ProcessWatch process;
    private boolean isJoined;
    private volatile long runningNs;
    private volatile long heardNs;
    /** The time at which the silent process was last seen to exist. */
    private long seenNs;

    CoordinatorWatch(final MemberHandshake handshake)
    {
        this.handshake = handshake;
    }

    /** Watches a process; null for none. */
    void watch(final ProcessIdentity identity)
    {
        process = identity == null ? null : new ProcessWatch(identity);
    }

    /** Called when the member has joined, and the identity of the coordinator's process is known. */
    void joined()
    {
        isJoined = true;
        heardNs = runningNs;
        if (process == null)
        {
            watch(handshake.coordinator());
        }
    }

    /** Records a frame from the coordinator. */
    void heard()
    {
        heardNs = runningNs;
    }

    /** Sets the time, by a clock that stands still while this process does not run. */
    void now(final long timeNs)
    {
        runningNs = timeNs;
    }

    /** Returns the failure of the coordinator, or null while it may be alive. */
    RankFailure check()
    {
        final long silenceNs = runningNs - Math.max(heardNs, seenNs);
        if (process != null && !process.isAlive())
        {
            return handshake.ended(process.process().pid());
        }
        if (isJoined && silenceNs > handshake.heartbeatTimeoutNs() / 2 &&
            (handshake.coordinator() != null || isStopped()))
        {
            // The process exists, but may be stopped, or paused for a garbage collection: the timeout restarts when it
            // resumes.
            seenNs = runningNs;
        }
        else if (isJoined && silenceNs > handshake.heartbeatTimeoutNs())
        {
            return handshake.gone("no heartbeat for " + DurationFormat.formatMeasured(silenceNs));
        }
        return null;
    }

    boolean isStopped()
    {
        final ProcessWatch watched = process;
        return watched != null && watched.process().isStopped();
    }

    /** Returns why the coordinator does not answer, or null if it does, as far as this process knows. */
    String problem()
    {
        if (isStopped())
        {
            return "the coordinator does not answer: " + handshake.processName(process.process().pid()) + " is stopped";
        }
        final long silenceNs = runningNs - heardNs;
        return silenceNs < SILENCE_NS ? null :
            "the coordinator does not answer: nothing received for " + DurationFormat.formatMeasured(silenceNs);
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.close();
        }
    }
}
