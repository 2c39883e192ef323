/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.ReceiveWorkRequest;

/** The receive queue of a {@link DisniQueuePair}. */
final class DisniReceiveQueue extends WorkQueue
{
    private final int maxSge;

    DisniReceiveQueue(final QueuePairInitAttributes attributes)
    {
        super(true, attributes.maxReceiveRequests(), new Backlog(ReceiveWorkRequest.SIZE,
            attributes.maxReceiveRequests(), attributes.maxReceiveSge(), 0));
        maxSge = attributes.maxReceiveSge();
    }

    @Override
    int check(final long request)
    {
        final int entries = UnsafeApi.getInt(request + ReceiveWorkRequest.NUM_SGE_OFFSET);
        return entries < 0 || entries > maxSge ? Errno.EINVAL : 0;
    }

    @Override
    void prepare(final long copy)
    {
        // Nothing to do: receives are posted unchanged.
    }
}
