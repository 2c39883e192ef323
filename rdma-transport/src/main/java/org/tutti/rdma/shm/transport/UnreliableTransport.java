/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.soft.queue.RetryTimer;

/** The transport of an unreliable connection: sends and writes, each attempted once. */
final class UnreliableTransport extends ConnectedTransport
{
    UnreliableTransport(final GuardedQueuePair queuePair)
    {
        super(queuePair, QueuePairType.UC);
    }

    @Override
    int opcodes()
    {
        return SENDS_AND_WRITES;
    }

    @Override
    QueuePairState afterFailedSend()
    {
        return QueuePairState.SQE;
    }

    @Override
    Requester newRequester(final PeerContext connected)
    {
        return new UnreliableRequester(queuePair, connected, queuePair.attributes().destQpNum());
    }

    @Override
    int giveUp(final int why, final Requester requester, final long nowNs, final RetryTimer timer)
    {
        return Requester.SUCCESS;
    }
}
