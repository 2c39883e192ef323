/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.shm.peer.PeerRegion;
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.SharedAtomics;
import org.tutti.rdma.spi.ConnectionAttributes;

/**
 * Executes requests of a reliable connection, including reads and atomics; a failure at the peer moves both sides to
 * the error state.
 */
final class ReliableRequester extends ConnectedRequester
{
    private static final int REM_INV_REQ_ERR = WorkCompletionStatus.REM_INV_REQ_ERR.ordinal();
    private static final int REM_ACCESS_ERR = WorkCompletionStatus.REM_ACCESS_ERR.ordinal();

    private final int sourcePsn;
    private final boolean mayReadRemote;

    /**
     * Creates the requester of a queue pair that becomes ready to send.
     *
     * @param queuePair  the local queue pair.
     * @param peer       the context of the remote queue pair.
     * @param attributes attributes of the connection.
     */
    ReliableRequester(
        final GuardedQueuePair queuePair, final PeerContext peer, final ConnectionAttributes attributes)
    {
        super(queuePair, QueuePairType.RC, peer, attributes.destQpNum());
        sourcePsn = attributes.sqPsn();
        mayReadRemote = attributes.maxRdAtomic() > 0;
    }

    @Override
    int check(final long wr, final long sgList, final int opcode)
    {
        final int status = checkLocal(wr, sgList, opcode);
        if (opcode < SendOpcode.RDMA_READ || status != SUCCESS)
        {
            return status;
        }
        if (opcode > SendOpcode.RDMA_READ && length != Long.BYTES)
        {
            return LOC_LEN_ERR;
        }
        return mayReadRemote ? SUCCESS : LOC_QP_OP_ERR;
    }

    @Override
    boolean isExpected()
    {
        return UnsafeApi.getInt(peerEntry + QueuePairEntry.RQ_PSN_OFFSET) == sourcePsn;
    }

    @Override
    int deliverOther(final long wr, final long sgList, final int opcode)
    {
        return opcode == SendOpcode.RDMA_READ ? read(wr, sgList) : atomic(wr, sgList, opcode);
    }

    private int read(final long wr, final long sgList)
    {
        if (UnsafeApi.getInt(peerEntry + QueuePairEntry.MAX_DEST_RD_ATOMIC_OFFSET) == 0)
        {
            return invalid();
        }
        return length == 0 ? SUCCESS : access(wr, sgList, AccessFlags.REMOTE_READ);
    }

    private int atomic(final long wr, final long sgList, final int opcode)
    {
        final long remote = UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        if ((remote & 7) != 0 || UnsafeApi.getInt(peerEntry + QueuePairEntry.MAX_DEST_RD_ATOMIC_OFFSET) == 0)
        {
            return invalid();
        }
        final int key = UnsafeApi.getInt(wr + SendWorkRequest.ATOMIC_RKEY_OFFSET);
        final long region = remoteRegion(wr, key, AccessFlags.REMOTE_ATOMIC);
        if (region == 0)
        {
            return refuse();
        }
        final PeerRegion peerRegion = memory.region(key, region);
        if (!peerRegion.isMapped() || !peerRegion.covers(remote, Long.BYTES))
        {
            vendorError = peerRegion.isMapped() ? Errno.EIO : Errno.ENOMEM;
            return LOC_QP_OP_ERR;
        }
        final long delta = peerRegion.delta();
        final long operand = UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET);
        final long before = opcode == SendOpcode.ATOMIC_FETCH_AND_ADD ?
            UnsafeApi.getAndAddLong(null, remote + delta, operand) :
            SharedAtomics.compareAndExchangeLong(
                remote + delta, operand, UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_SWAP_OFFSET));
        putBytes(sgList, UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET), before);
        return SUCCESS;
    }

    private static void putBytes(final long sgList, final int count, final long value)
    {
        long rest = value;
        for (int i = 0; i < count; i++)
        {
            final long sge = SgeList.entry(sgList, i);
            final long bytes = SgeList.length(sge);
            if (bytes == Long.BYTES)
            {
                UnsafeApi.putLong(SgeList.address(sge), value);
                return;
            }
            for (long j = 0; j < bytes; j++)
            {
                UnsafeApi.putByte(SgeList.address(sge) + j, (byte)rest);
                rest >>>= Byte.SIZE;
            }
        }
    }

    @Override
    int refuse()
    {
        return fail(AsyncEventType.QP_ACCESS_ERR, REM_ACCESS_ERR);
    }

    private int invalid()
    {
        return fail(AsyncEventType.QP_REQ_ERR, REM_INV_REQ_ERR);
    }

    @Override
    int rejectLength()
    {
        return reject(LOC_LEN_ERR, REM_INV_REQ_ERR);
    }

    @Override
    int answer(final int status)
    {
        return status;
    }
}
