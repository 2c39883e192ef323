/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.Errno;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.Peers;
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.soft.segment.Delivery;

/**
 * Executes send requests of one queue pair in place of the adapters of both sides: the checks and statuses are those of
 * the InfiniBand specification, volume 1, sections 9.7 to 9.9 and 11.6. Guarded by the queue pair's posting lock; the
 * peer's {@link Guard} is held during access to the peer. Allocates nothing.
 */
abstract class Requester
{
    /** Returned instead of a status if the peer has no receive posted. */
    static final int NOT_READY = -1;
    /** Returned instead of a status if the peer does not respond. */
    static final int NO_ANSWER = -2;

    static final int SUCCESS = WorkCompletionStatus.SUCCESS.ordinal();
    static final int LOC_LEN_ERR = WorkCompletionStatus.LOC_LEN_ERR.ordinal();
    static final int LOC_QP_OP_ERR = WorkCompletionStatus.LOC_QP_OP_ERR.ordinal();
    static final int LOC_PROT_ERR = WorkCompletionStatus.LOC_PROT_ERR.ordinal();
    static final int REM_OP_ERR = WorkCompletionStatus.REM_OP_ERR.ordinal();
    static final long GUARD_DEADLINE_NS = 100_000_000L;

    private static final long MAX_MESSAGE = 1L << 31;

    final Peers peers;
    final int token;
    final int qpNum;
    final int domain;
    final Delivery delivery = new Delivery();
    long length;
    int vendorError;
    private final long control;

    Requester(final GuardedQueuePair queuePair)
    {
        peers = queuePair.peers();
        control = queuePair.control();
        token = queuePair.token();
        qpNum = queuePair.qpNum();
        domain = queuePair.domain();
        delivery.sourceQpNum = qpNum;
    }

    /**
     * Executes a request.
     *
     * @param wr     address of the send request.
     * @param sgList address of its gather list.
     * @return a value of {@code ibv_wc_status} if the request is complete, {@link #NOT_READY} or {@link #NO_ANSWER} if
     *     it must be retried.
     */
    abstract int execute(long wr, long sgList);

    /**
     * The length of the message executed last.
     *
     * @return length in bytes.
     */
    final long length()
    {
        return length;
    }

    /**
     * The errno of the request executed last, if it failed because memory could not be accessed.
     *
     * @return errno, or 0 if there was no such failure.
     */
    final int vendorError()
    {
        return vendorError;
    }

    /**
     * Whether the connected peer is known to be dead.
     *
     * @return true if the peer is dead; always false for datagrams, which have no connected peer.
     */
    boolean isPeerDead()
    {
        return false;
    }

    /**
     * The RNR delay that the peer requests if it has no receive.
     *
     * @return delay in nanoseconds.
     */
    long rnrDelayNs()
    {
        return 0;
    }

    /** Frees all resources; the requester must not be used afterwards. */
    void close()
    {
        // Nothing to free by default.
    }

    final int checkLocal(final long wr, final long sgList, final int opcode)
    {
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        final boolean isInline =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.INLINE) != 0;
        final int access = opcode >= SendOpcode.RDMA_READ ? AccessFlags.LOCAL_WRITE : 0;
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final long sge = SgeList.entry(sgList, i);
            final long bytes = SgeList.length(sge);
            total += bytes;
            if (!isInline && bytes != 0 && !SgeList.isCovered(control, domain, sge, access, bytes))
            {
                return LOC_PROT_ERR;
            }
        }
        length = total;
        return total > MAX_MESSAGE ? LOC_LEN_ERR : SUCCESS;
    }

    final void describe(final long wr, final int opcode, final boolean hasImmediate)
    {
        delivery.opcode = opcode;
        delivery.length = (int)length;
        delivery.flags = hasImmediate ? CompletionFlags.WITH_IMM : 0;
        delivery.imm = hasImmediate ? UnsafeApi.getInt(wr + SendWorkRequest.IMM_DATA_OFFSET) : 0;
        delivery.isSolicited =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
    }

    /**
     * Copies a gather list into the peer's receive.
     *
     * @param wr      the request.
     * @param sgList  address of its gather list.
     * @param scatter scatter into the receive, which is long enough for the message.
     * @return {@link #SUCCESS}, or the status from {@link #blame}.
     */
    final int gather(final long wr, final long sgList, final Scatter scatter)
    {
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        for (int i = 0; i < count; i++)
        {
            final long sge = SgeList.entry(sgList, i);
            final long bytes = SgeList.length(sge);
            final int errno = bytes == 0 ? 0 : scatter.put(SgeList.address(sge), bytes);
            if (errno != 0)
            {
                return blame(errno, SgeList.address(sge), bytes);
            }
        }
        return SUCCESS;
    }

    /** The status of a request whose copy failed: a remote error only if the local address is valid. */
    final int blame(final int errno, final long local, final long bytes)
    {
        vendorError = errno;
        return switch (errno)
        {
            case Errno.ESRCH -> NO_ANSWER;
            case Errno.EFAULT -> MemoryCalls.isMapped(local, bytes) ? REM_OP_ERR : LOC_PROT_ERR;
            default -> LOC_QP_OP_ERR;
        };
    }
}
