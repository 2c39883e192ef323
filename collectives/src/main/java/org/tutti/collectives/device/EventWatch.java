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
 * Watches for asynchronous events after which nothing comes any more, for all communicators on a device. A port that
 * lost its link gets time to get it back, as long as a message that is not answered is sent again. An event of one
 * communicator's queue pair ends all of the job, whichever sees it first. Thread-safe; allocates nothing while there is
 * no event.
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
     * For one port.
     *
     * @param context context of its device.
     * @param port    counted from 1.
     * @param graceNs time that a port may be without a link, in nanoseconds, at least a second.
     */
    public EventWatch(final Context context, final int port, final long graceNs)
    {
        this.context = context;
        this.port = port;
        this.graceNs = Math.max(graceNs, MIN_GRACE_NS);
    }

    /**
     * Looks for events.
     *
     * @return one that ends the communicator, or null.
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
                    // Says nothing about whether messages come.
                }
            }
        }
        return linkLoss != null && System.nanoTime() - linkLossNs > graceNs ? linkLoss : null;
    }

    /** Whether the link was lost and has not come back. */
    public synchronized boolean isLinkLost()
    {
        return linkLoss != null;
    }
}
