/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.agrona.collections.Int2ObjectHashMap;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.MulticastGroups;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.soft.queue.Responder;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueueLimits;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;

/**
 * Executes datagrams: looks up each destination, and silently drops messages that the destination cannot receive
 * (specification, sections 9.8.3 and 10.2.5).
 */
final class DatagramRequester extends Requester
{
    /** The queue pair number that stands for all members of a group. */
    private static final int MULTICAST_QP_NUM = 0xFF_FFFF;
    private static final int LISTENS_TO = QueuePairEntry.listensTo(QueuePairType.UD, 0);
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int SQE = QueuePairState.SQE.ordinal();

    private final long entry;
    private final Int2ObjectHashMap<DatagramPeer> connected = new Int2ObjectHashMap<>();
    private final AddressHandles addressHandles;
    private final RouteHeader routeHeader;
    private MulticastGroups groups;
    private int qkey;

    DatagramRequester(final GuardedQueuePair queuePair)
    {
        super(queuePair);
        entry = queuePair.entry();
        addressHandles = queuePair.addressHandles();
        routeHeader = new RouteHeader(peers.gid());
    }

    @Override
    int execute(final long wr, final long sgList)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        vendorError = 0;
        final int status = checkLocal(wr, sgList, opcode);
        if (status != SUCCESS)
        {
            return status;
        }
        final DatagramRoute route = addressHandles.find(UnsafeApi.getLong(wr + SendWorkRequest.UD_AH_OFFSET));
        if (route == null || route.domain() != domain)
        {
            return LOC_QP_OP_ERR;
        }
        // C10-93.1.1: a message longer than the port's MTU is not sent, without an error.
        return length > QueueLimits.MTU ? SUCCESS : send(wr, sgList, opcode, route);
    }

    private int send(final long wr, final long sgList, final int opcode, final DatagramRoute route)
    {
        final boolean hasImmediate = opcode == SendOpcode.SEND_WITH_IMM;
        describe(wr, CompletionOpcode.RECV, hasImmediate);
        delivery.length += RouteHeader.LENGTH;
        delivery.path = route.completionPath();
        if (route.isGlobal())
        {
            delivery.flags |= CompletionFlags.GRH;
            routeHeader.put(route, (int)length, hasImmediate);
        }
        final int sent = UnsafeApi.getInt(wr + SendWorkRequest.UD_REMOTE_QKEY_OFFSET);
        // A Q_Key with the high bit set is privileged: in a request, it selects the queue pair's own Q_Key instead.
        qkey = sent < 0 ? UnsafeApi.getInt(entry + QueuePairEntry.QKEY_OFFSET) : sent;
        final int destination = UnsafeApi.getInt(wr + SendWorkRequest.UD_REMOTE_QPN_OFFSET);
        return !route.isMulticast() ? deliver(wr, sgList, route.contextIndex(), 0, destination) :
            destination == MULTICAST_QP_NUM ? sendToAll(wr, sgList, route) : SUCCESS;
    }

    private int sendToAll(final long wr, final long sgList, final DatagramRoute route)
    {
        if (groups == null)
        {
            groups = peers.fabric().groups("ibv_post_send");
        }
        final int limit = groups.limit();
        int status = SUCCESS;
        for (int i = 0; i < limit && status == SUCCESS; i++)
        {
            final long member = groups.member(i, route.gidHigh(), route.gidLow());
            if (member != 0)
            {
                final int memberToken = MulticastGroups.token(member);
                status = deliver(
                    wr, sgList, ControlLayout.index(memberToken), memberToken, MulticastGroups.qpNum(member));
            }
        }
        return status;
    }

    /** Returns the status of the request; failures of the receiver are not reported. */
    private int deliver(
        final long wr, final long sgList, final int contextIndex, final int contextToken, final int destination)
    {
        final DatagramPeer peer = peer(contextIndex);
        final int index = ControlLayout.localIndex(destination);
        if (peer == null || (contextToken != 0 && peer.token() != contextToken) ||
            ControlLayout.contextIndex(destination) != contextIndex ||
            index >= UnsafeApi.getInt(peer.control() + ControlLayout.QP_LIMIT_OFFSET))
        {
            return SUCCESS;
        }
        final long peerEntry = ControlLayout.queuePair(peer.control(), index);
        if (!Guard.acquire(peers, peer.control(), peerEntry, GUARD_DEADLINE_NS))
        {
            return SUCCESS;
        }
        try
        {
            return isListening(peerEntry, destination) ? receive(wr, sgList, peer, peerEntry) : SUCCESS;
        }
        finally
        {
            Guard.release(peers, peerEntry);
        }
    }

    private boolean isListening(final long peerEntry, final int destination)
    {
        final int state = QueuePairEntry.state(peerEntry);
        return state >= RTR && state <= SQE &&
            UnsafeApi.getInt(peerEntry + QueuePairEntry.QP_NUM_OFFSET) == destination &&
            UnsafeApi.getInt(peerEntry + QueuePairEntry.LISTENS_TO_OFFSET) == LISTENS_TO &&
            UnsafeApi.getInt(peerEntry + QueuePairEntry.QKEY_OFFSET) == qkey;
    }

    private int receive(final long wr, final long sgList, final DatagramPeer peer, final long peerEntry)
    {
        final long control = peer.control();
        final long slot = Receives.next(control, peerEntry);
        if (slot == 0)
        {
            return SUCCESS;
        }
        final Scatter scatter = peer.scatter();
        final int fit = scatter.begin(peerEntry, slot, length + RouteHeader.LENGTH);
        if (fit == Scatter.TOO_LONG)
        {
            Responder.dropLong(control, peerEntry, token, delivery);
            return SUCCESS;
        }
        if (fit == Scatter.FORBIDDEN)
        {
            return reject(control, peerEntry);
        }
        final boolean hasHeader = (delivery.flags & CompletionFlags.GRH) != 0;
        final int errno = scatter.put(hasHeader ? routeHeader.address() : 0, RouteHeader.LENGTH);
        final int status = errno == 0 ? gather(wr, sgList, scatter) :
            blame(errno, routeHeader.address(), RouteHeader.LENGTH);
        if (status == SUCCESS)
        {
            Responder.completeReceive(control, peerEntry, token, SUCCESS, delivery);
        }
        return status == REM_OP_ERR ? reject(control, peerEntry) : Math.max(status, SUCCESS);
    }

    /** Fails the receiver's queue pair, because its receive names memory that it has no right to write. */
    private int reject(final long control, final long peerEntry)
    {
        Responder.completeReceive(control, peerEntry, token, LOC_PROT_ERR, delivery);
        Responder.fail(control, peerEntry, token, null);
        return SUCCESS;
    }

    private DatagramPeer peer(final int contextIndex)
    {
        final DatagramPeer peer = connected.get(contextIndex);
        return peer != null && !peer.isGone() ? peer : connect(contextIndex);
    }

    /** Connects to the context that has the index now. */
    private DatagramPeer connect(final int contextIndex)
    {
        final DatagramPeer gone = connected.remove(contextIndex);
        if (gone != null)
        {
            peers.disconnect(gone.context());
        }
        final PeerContext context = peers.connect(contextIndex);
        if (context == null)
        {
            return null;
        }
        final DatagramPeer peer = new DatagramPeer(context);
        connected.put(contextIndex, peer);
        return peer;
    }

    @Override
    void close()
    {
        connected.values().forEach(peer -> peers.disconnect(peer.context()));
        connected.clear();
        routeHeader.close();
    }
}
