/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.shm.peer.PeerRegion;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.RegionEntry;

import static org.tutti.rdma.QueuePairAttributeMask.AV;
import static org.tutti.rdma.QueuePairAttributeMask.DEST_QPN;

/** The transport of a connection, with one peer. */
abstract class ConnectedTransport extends PeerTransport
{
    /** Sends and writes, with and without immediate. */
    static final int SENDS_AND_WRITES = (1 << (SendOpcode.SEND_WITH_IMM + 1)) - 1;

    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int LOAD_STORE = AccessFlags.ALL & ~AccessFlags.LOCAL_WRITE;
    private static final long GUARD_DEADLINE_NS = 10_000_000_000L;

    private final QueuePairType type;
    private final long entry;
    private PeerContext peer;
    private Requester requester;

    ConnectedTransport(final GuardedQueuePair queuePair, final QueuePairType type)
    {
        super(queuePair);
        this.type = type;
        entry = queuePair.entry();
    }

    abstract Requester newRequester(PeerContext connected);

    @Override
    final Requester requester()
    {
        if (requester == null && peer() != null)
        {
            // The peer may have died since it was connected, undetected so far.
            peer.checkDead();
            requester = newRequester(peer);
        }
        return requester;
    }

    @Override
    public final void check(final QueuePairAttributes values, final int mask)
    {
        if ((mask & AV) != 0)
        {
            peers.checkPath(values.path, (mask & DEST_QPN) != 0 ? values.destQpNum : destQpNum());
        }
    }

    @Override
    public final void changed(final QueuePairAttributes values, final QueuePairState next)
    {
        if (next == QueuePairState.RTR)
        {
            UnsafeApi.putInt(
                entry + QueuePairEntry.LISTENS_TO_OFFSET, QueuePairEntry.listensTo(type, values.destQpNum));
            UnsafeApi.putInt(entry + QueuePairEntry.RQ_PSN_OFFSET, values.rqPsn);
            UnsafeApi.putInt(entry + QueuePairEntry.ESTABLISHED_OFFSET, 0);
        }
        requester = null;
    }

    @Override
    public final void connect()
    {
        peer();
    }

    private PeerContext peer()
    {
        if (peer == null && QueuePairEntry.state(entry) >= RTR && destQpNum() != 0)
        {
            peer = peers.connect(ControlLayout.contextIndex(destQpNum()));
        }
        return peer;
    }

    private int destQpNum()
    {
        return queuePair.attributes().destQpNum();
    }

    @Override
    public final void disconnect()
    {
        requester = null;
        if (peer != null)
        {
            peers.disconnect(peer);
            peer = null;
        }
    }

    @Override
    public final long loadStoreAddress(final long remoteAddress, final long length, final int rkey, final int access)
    {
        if (peer() == null || peer.isGone() || length <= 0 || access == 0 || (access & ~LOAD_STORE) != 0)
        {
            return 0;
        }
        final int index = ControlLayout.localIndex(destQpNum());
        final long peerEntry = ControlLayout.queuePair(peer.control(), index);
        if (index >= UnsafeApi.getInt(peer.control() + ControlLayout.QP_LIMIT_OFFSET) ||
            !Guard.acquire(peers, peer.control(), peerEntry, GUARD_DEADLINE_NS))
        {
            return 0;
        }
        try
        {
            return mappedAddress(peerEntry, remoteAddress, length, rkey, access);
        }
        finally
        {
            Guard.release(peers, peerEntry);
        }
    }

    private long mappedAddress(
        final long peerEntry, final long remoteAddress, final long length, final int rkey, final int access)
    {
        final long region = RegionEntry.find(peer.control(), rkey);
        final int domain = UnsafeApi.getInt(peerEntry + QueuePairEntry.DOMAIN_OFFSET);
        if (region == 0 || UnsafeApi.getInt(peerEntry) != destQpNum() ||
            (UnsafeApi.getInt(peerEntry + QueuePairEntry.ACCESS_OFFSET) & access) != access ||
            !RegionEntry.allows(region, domain, access, remoteAddress, length))
        {
            return 0;
        }
        final PeerRegion mapped = peer.pinnedRegion(region);
        return mapped.isMapped() && mapped.covers(remoteAddress, length) ? remoteAddress + mapped.delta() : 0;
    }
}
