/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.queue.SgeList;

/** The checks of a request before it is sent. Stateless; allocates nothing. */
final class LocalChecks
{
    private static final int LOC_PROT_ERR = WorkCompletionStatus.LOC_PROT_ERR.ordinal();
    private static final int LOC_LEN_ERR = WorkCompletionStatus.LOC_LEN_ERR.ordinal();
    private static final int LOC_QP_OP_ERR = WorkCompletionStatus.LOC_QP_OP_ERR.ordinal();
    private static final long MAX_MESSAGE = 1L << 31;

    private LocalChecks()
    {
    }

    /** The length of a request's message in bytes. */
    static long length(final long wr)
    {
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            total += SgeList.length(SgeList.entry(list, i));
        }
        return total;
    }

    /**
     * Checks a request.
     *
     * @param queuePair queue pair of the request.
     * @param wr        address of the request.
     * @param length    result of {@link #length}.
     * @return 0 or the status of the failed request.
     */
    static int check(final WireQueuePair queuePair, final long wr, final long length)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        final int flags = UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET);
        final long list = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        final boolean isRead = opcode >= SendOpcode.RDMA_READ;
        if ((flags & SendFlags.INLINE) == 0)
        {
            final int access = isRead ? AccessFlags.LOCAL_WRITE : 0;
            for (int i = 0; i < count; i++)
            {
                final long sge = SgeList.entry(list, i);
                final long bytes = SgeList.length(sge);
                if (bytes != 0 && !SgeList.isCovered(queuePair.control(), queuePair.domain(), sge, access, bytes))
                {
                    return LOC_PROT_ERR;
                }
            }
        }
        if (length > MAX_MESSAGE || (opcode > SendOpcode.RDMA_READ && length != Long.BYTES))
        {
            return LOC_LEN_ERR;
        }
        return isRead && queuePair.attributes().maxRdAtomic() == 0 ? LOC_QP_OP_ERR : 0;
    }
}
