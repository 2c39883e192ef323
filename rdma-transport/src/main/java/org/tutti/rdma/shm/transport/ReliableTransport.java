/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.soft.queue.RetryTimer;

/**
 * The transport of a reliable connection: a request is retried until it is acknowledged or its retries are exhausted.
 */
final class ReliableTransport extends ConnectedTransport
{
    private static final int ALL = (1 << (SendOpcode.ATOMIC_FETCH_AND_ADD + 1)) - 1;
    private static final int RETRY_EXC_ERR = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
    private static final int RNR_RETRY_EXC_ERR = WorkCompletionStatus.RNR_RETRY_EXC_ERR.ordinal();
    private static final int RNR_RETRY_FOREVER = 7;

    ReliableTransport(final GuardedQueuePair queuePair)
    {
        super(queuePair, QueuePairType.RC);
    }

    @Override
    int opcodes()
    {
        return ALL;
    }

    @Override
    QueuePairState afterFailedSend()
    {
        return QueuePairState.ERR;
    }

    @Override
    Requester newRequester(final PeerContext connected)
    {
        return new ReliableRequester(queuePair, connected, queuePair.attributes());
    }

    @Override
    int giveUp(final int why, final Requester requester, final long nowNs, final RetryTimer timer)
    {
        if (why == Requester.NOT_READY)
        {
            final int retries = queuePair.attributes().rnrRetry();
            final int maxRetries = retries == RNR_RETRY_FOREVER ? RetryTimer.FOREVER : retries;
            return timer.isExhausted(why, nowNs, requester.rnrDelayNs(), maxRetries) ? RNR_RETRY_EXC_ERR : why;
        }
        if (requester != null && requester.isPeerDead())
        {
            return RETRY_EXC_ERR;
        }
        final int timeout = queuePair.attributes().timeout();
        final boolean isExhausted = timeout == 0 ?
            timer.isExhausted(why, nowNs, RetryTimer.MAX_PAUSE_NS, RetryTimer.FOREVER) :
            timer.isExhausted(
                why, nowNs, RetryTimer.acknowledgeTimeoutNs(timeout), queuePair.attributes().retryCount() + 1);
        return isExhausted ? RETRY_EXC_ERR : why;
    }
}
