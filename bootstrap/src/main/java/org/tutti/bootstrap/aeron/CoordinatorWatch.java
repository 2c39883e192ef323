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
 * Tells whether a member's coordinator is gone, and whether it answers. One thread watches; {@link #isStopped} and
 * {@link #problem} may be called from any thread once the member has joined.
 */
final class CoordinatorWatch implements AutoCloseable
{
    /** A coordinator sends a heartbeat each second: one that is silent for longer does not answer either. */
    private static final long SILENCE_NS = 3 * Protocol.HEARTBEAT_INTERVAL_NS;

    private final MemberHandshake handshake;
    /** The process without which the job is over, if it is on this host: the owner of the media driver, or rank 0. */
    private volatile ProcessWatch process;
    private boolean isJoined;
    private volatile long runningNs;
    private volatile long heardNs;
    /** When the process was last seen to be there while nothing was heard. */
    private long seenNs;

    CoordinatorWatch(final MemberHandshake handshake)
    {
        this.handshake = handshake;
    }

    /** Watches a process, or none if that is null. */
    void watch(final ProcessIdentity identity)
    {
        process = identity == null ? null : new ProcessWatch(identity);
    }

    /** The member has joined: what the coordinator said of its process is known. */
    void joined()
    {
        isJoined = true;
        heardNs = runningNs;
        if (process == null)
        {
            watch(handshake.coordinator());
        }
    }

    /** Something came from the coordinator. */
    void heard()
    {
        heardNs = runningNs;
    }

    /** Sets what time it is, by a clock that stands still while this process does. */
    void now(final long timeNs)
    {
        runningNs = timeNs;
    }

    /** The coordinator's end, or null as long as it may be there. */
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
            // Stopped, or paused for a collection: it will go on, and then has all of its time to be heard.
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

    /** Why the coordinator does not answer, or null if it does, as far as this process can tell. */
    String problem()
    {
        if (isStopped())
        {
            return "the coordinator does not answer: " + handshake.processName(process.process().pid()) + " is stopped";
        }
        final long silenceNs = runningNs - heardNs;
        return silenceNs < SILENCE_NS ? null :
            "the coordinator does not answer: nothing came from it for " + DurationFormat.formatMeasured(silenceNs);
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
