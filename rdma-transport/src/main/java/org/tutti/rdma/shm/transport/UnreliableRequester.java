/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.soft.queue.Responder;

/**
 * Executes requests of an unreliable connection: the peer silently drops messages that it cannot accept, and the sender
 * is never notified (specification, section 9.8.2).
 */
final class UnreliableRequester extends ConnectedRequester
{
    /**
     * Creates the requester of a queue pair that becomes ready to send.
     *
     * @param queuePair the local queue pair.
     * @param peer      the context of the remote queue pair.
     * @param peerQpNum number of the peer's queue pair.
     */
    UnreliableRequester(final GuardedQueuePair queuePair, final PeerContext peer, final int peerQpNum)
    {
        super(queuePair, QueuePairType.UC, peer, peerQpNum);
    }

    @Override
    boolean isExpected()
    {
        // The first packet of a message is accepted with any PSN, because earlier ones may be lost.
        return true;
    }

    @Override
    int deliverOther(final long wr, final long sgList, final int opcode)
    {
        return LOC_QP_OP_ERR;
    }

    @Override
    int refuse()
    {
        return SUCCESS;
    }

    @Override
    int rejectLength()
    {
        Responder.dropLong(peerControl, peerEntry, token, delivery);
        return SUCCESS;
    }

    @Override
    int answer(final int status)
    {
        return SUCCESS;
    }
}
