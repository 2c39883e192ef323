/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.soft.queue.LocalQueuePair;
import org.tutti.rdma.soft.segment.QueuePairEntry;

/** A queue pair whose guard, a {@link Guard}, peers acquire too, and its reachable peers. */
public final class GuardedQueuePair extends LocalQueuePair
{
    private final Peers peers;
    private final AddressHandles addressHandles;

    /**
     * Describes a queue pair that is being created.
     *
     * @param peers          peers of its context.
     * @param addressHandles address handles of its context.
     * @param index          index of its entry in the control segment.
     * @param domain         number of its protection domain.
     */
    public GuardedQueuePair(
        final Peers peers, final AddressHandles addressHandles, final int index, final int domain)
    {
        super(peers.control(), peers.token(), index, domain);
        this.peers = peers;
        this.addressHandles = addressHandles;
    }

    Peers peers()
    {
        return peers;
    }

    AddressHandles addressHandles()
    {
        return addressHandles;
    }

    @Override
    public boolean acquireGuard(final long deadlineNs)
    {
        return Guard.acquire(peers, control(), entry(), deadlineNs);
    }

    @Override
    public void releaseGuard()
    {
        Guard.release(peers, entry());
    }

    @Override
    protected String guardHolder()
    {
        return "its process may be stopped (pid " +
            peers.pidOf(UnsafeApi.getInt(entry() + QueuePairEntry.GUARD_OFFSET)) + ")";
    }
}
