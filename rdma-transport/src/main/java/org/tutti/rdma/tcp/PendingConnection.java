/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.Gid;
import org.tutti.rdma.tcp.stream.Incarnation;
import org.tutti.rdma.tcp.stream.WireTransport;
import org.tutti.rdma.tcp.wire.PrivateData;

/**
 * An incarnation of a queue pair that is, or may again be, without a connection, and the time of the next attempt. Used
 * by the poller's thread only.
 */
final class PendingConnection
{
    private static final long FIRST_DELAY_NS = 5_000_000L;
    private static final int MAX_DOUBLINGS = 5;

    private final WireTransport transport;
    private final Incarnation incarnation;
    private int failures;
    private int revision = 2;
    private boolean isScheduled;
    private long dueNs;

    PendingConnection(final WireTransport transport, final Incarnation incarnation)
    {
        this.transport = transport;
        this.incarnation = incarnation;
    }

    WireTransport transport()
    {
        return transport;
    }

    Incarnation incarnation()
    {
        return incarnation;
    }

    /** Whether the queue pair has not been reset since. */
    boolean isCurrent()
    {
        return incarnation.equals(transport.incarnation());
    }

    /** Whether this side is the one that connects: to a standard peer if the program names its port. */
    boolean isConnector()
    {
        final PrivateData.Place peer = incarnation.peer();
        return peer.isStandard() ? peer.port() != 0 : transport.here().compareTo(peer) < 0;
    }

    /** Whether a request comes from the peer, names this queue pair, and can be accepted now. */
    boolean isExpecting(final PrivateData request)
    {
        if (!isCurrent() || !transport.isExpecting() || isConnector())
        {
            return false;
        }
        final PrivateData.Place peer = incarnation.peer();
        return peer.isStandard() ?
            request.from().isStandard() && (peer.gid().equals(Gid.ZERO) || peer.gid().equals(request.from().gid())) :
            transport.here().equals(request.to()) && peer.equals(request.from());
    }

    /** The revision of MPA to begin a connection to a standard peer with. */
    int revision()
    {
        return revision;
    }

    /** Uses the other revision in the next attempt: a peer that does not know one closes the connection. */
    void changeRevision()
    {
        revision = 3 - revision;
    }

    /** Schedules the next attempt, the later the more have failed. */
    void schedule()
    {
        isScheduled = true;
        dueNs = System.nanoTime() + (FIRST_DELAY_NS << Math.min(failures++, MAX_DOUBLINGS));
    }

    /** The connection is established: the next attempt, if any, is a first one. */
    void succeeded()
    {
        failures = 0;
    }

    /**
     * The time until the next attempt.
     *
     * @param nowNs time by {@link System#nanoTime}.
     * @return delay in nanoseconds, at most 0 if the attempt is due; {@link Long#MAX_VALUE} if none is scheduled.
     */
    long delayNs(final long nowNs)
    {
        return isScheduled ? dueNs - nowNs : Long.MAX_VALUE;
    }

    /** Begins the scheduled attempt. */
    void begin()
    {
        isScheduled = false;
    }
}
