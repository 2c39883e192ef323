/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.shm.peer.PeerMemory;

/** A destination context of one queue pair's datagrams. Guarded by the queue pair's posting lock. */
final class DatagramPeer
{
    private final PeerContext context;
    private final long control;
    private final Scatter scatter;

    DatagramPeer(final PeerContext context)
    {
        this.context = context;
        control = context.control();
        scatter = new Scatter(control, new PeerMemory(context));
    }

    PeerContext context()
    {
        return context;
    }

    boolean isGone()
    {
        return context.isGone();
    }

    long control()
    {
        return control;
    }

    int token()
    {
        return context.token();
    }

    Scatter scatter()
    {
        return scatter;
    }
}
