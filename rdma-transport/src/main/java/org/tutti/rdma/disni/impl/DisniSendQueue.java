/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.UnsafeApi;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairInitAttributes;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;

/**
 * The send queue of a {@link DisniQueuePair}. It checks requests itself when they are posted: the device checks a
 * deferred request only after the call that posted it has returned, too late to report an error to the caller.
 */
final class DisniSendQueue extends WorkQueue
{
    private static final long MAX_MESSAGE = 1L << 31;
    private static final long ATOMIC_LENGTH = 8;
    private static final int KNOWN_FLAGS =
        SendFlags.FENCE | SendFlags.SIGNALED | SendFlags.SOLICITED | SendFlags.INLINE;

    private final int maxSge;
    private final int maxInline;
    private final boolean signalAll;

    DisniSendQueue(final QueuePairInitAttributes attributes)
    {
        super(false, attributes.maxSendRequests(), new Backlog(SendWorkRequest.SIZE,
            attributes.maxSendRequests(), attributes.maxSendSge(), attributes.maxInlineData()));
        maxSge = attributes.maxSendSge();
        maxInline = attributes.maxInlineData();
        signalAll = attributes.signalAll();
    }

    @Override
    int check(final long request)
    {
        final int opcode = UnsafeApi.getInt(request + SendWorkRequest.OPCODE_OFFSET);
        final int flags = UnsafeApi.getInt(request + SendWorkRequest.SEND_FLAGS_OFFSET);
        final int entries = UnsafeApi.getInt(request + SendWorkRequest.NUM_SGE_OFFSET);
        if (opcode < 0 || opcode > SendOpcode.ATOMIC_FETCH_AND_ADD || (flags & ~KNOWN_FLAGS) != 0 ||
            entries < 0 || entries > maxSge)
        {
            return Errno.EINVAL;
        }
        final boolean isInline = (flags & SendFlags.INLINE) != 0;
        if (isInline && opcode >= SendOpcode.RDMA_READ)
        {
            return Errno.EINVAL;
        }
        final boolean isAtomic = opcode > SendOpcode.RDMA_READ;
        if (isAtomic && (UnsafeApi.getLong(request + SendWorkRequest.REMOTE_ADDRESS_OFFSET) & (ATOMIC_LENGTH - 1)) != 0)
        {
            return Errno.EINVAL;
        }
        final long list = UnsafeApi.getLong(request + SendWorkRequest.SG_LIST_OFFSET);
        long length = 0;
        for (int i = 0; i < entries; i++)
        {
            final long entry = list + (long)i * ScatterGatherEntry.SIZE;
            length += UnsafeApi.getInt(entry + ScatterGatherEntry.LENGTH_OFFSET) & 0xFFFF_FFFFL;
        }
        return length > (isInline ? maxInline : MAX_MESSAGE) || (isAtomic && length != ATOMIC_LENGTH) ?
            Errno.EINVAL : 0;
    }

    /** Sets the signaled flag if {@code signalAll}, because DiSNI cannot create a queue pair that signals all sends. */
    @Override
    void prepare(final long copy)
    {
        if (signalAll)
        {
            final long flags = copy + SendWorkRequest.SEND_FLAGS_OFFSET;
            UnsafeApi.putInt(flags, UnsafeApi.getInt(flags) | SendFlags.SIGNALED);
        }
    }
}
