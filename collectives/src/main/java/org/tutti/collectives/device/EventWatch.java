/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.device;

import org.tutti.rdma.AsyncEvent;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Context;

import java.util.concurrent.TimeUnit;

/**
 * Watches for asynchronous events that end communication, for all communicators on a device. A lost link ends
 * communication only if it stays lost for as long as an unacknowledged message is retransmitted, and for at least a
 * second. An event of one communicator's queue pair ends the whole job, whichever communicator polls the event first.
 * Thread-safe; allocates nothing without events.
 */
public final class EventWatch
{
    private static final long MIN_GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Context context;
    private final Integer port;
    private final long graceNs;
    private AsyncEvent fatal;
    private AsyncEvent linkLoss;
    private long linkLossNs;

    /**
     * Watches one port.
     *
     * @param context context of the port's device.
     * @param port    port number, from 1.
     * @param graceNs how long the port may be without a link, in nanoseconds; less than a second counts as a second.
     */
    public EventWatch(final Context context, final int port, final long graceNs)
    {
        this.context = context;
        this.port = port;
        this.graceNs = Math.max(graceNs, MIN_GRACE_NS);
    }

    /**
     * Polls for events.
     *
     * @return an event that ends the communicator, or null.
     */
    public synchronized AsyncEvent poll()
    {
        if (fatal != null)
        {
            return fatal;
        }
        for (AsyncEvent event = context.awaitAsyncEvent(0); event != null; event = context.awaitAsyncEvent(0))
        {
            switch (event.type())
            {
                case DEVICE_FATAL, CQ_ERR, QP_FATAL, QP_REQ_ERR, QP_ACCESS_ERR ->
                {
                    fatal = event;
                    return event;
                }
                case PORT_ERR, PORT_ACTIVE ->
                {
                    if (port.equals(event.element()))
                    {
                        linkLoss = event.type() == AsyncEventType.PORT_ERR ? event : null;
                        linkLossNs = System.nanoTime();
                    }
                }
                default ->
                {
                    // Other events do not affect the transfer of messages.
                }
            }
        }
        return linkLoss != null && System.nanoTime() - linkLossNs > graceNs ? linkLoss : null;
    }

    /** Whether the link is lost. */
    public synchronized boolean isLinkLost()
    {
        return linkLoss != null;
    }
}
