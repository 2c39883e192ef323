/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionFlags;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.Errno;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;

/**
 * Executes send requests of one connected queue pair against its peer, as the adapters of both sides would: the checks
 * and statuses are those of the InfiniBand specification, volume 1, sections 9.7 to 9.9 and 11.6. Used under the queue
 * pair's posting lock, with the peer's {@link Guard} held while it touches the peer. Allocates nothing.
 */
final class Requester
{
    /** In place of a status: the peer has no receive. */
    static final int NOT_READY = -1;
    /** In place of a status: the peer does not answer. */
    static final int NO_ANSWER = -2;

    private static final int SUCCESS = WorkCompletionStatus.SUCCESS.ordinal();
    private static final int LOC_LEN_ERR = WorkCompletionStatus.LOC_LEN_ERR.ordinal();
    private static final int LOC_QP_OP_ERR = WorkCompletionStatus.LOC_QP_OP_ERR.ordinal();
    private static final int LOC_PROT_ERR = WorkCompletionStatus.LOC_PROT_ERR.ordinal();
    private static final int REM_INV_REQ_ERR = WorkCompletionStatus.REM_INV_REQ_ERR.ordinal();
    private static final int REM_ACCESS_ERR = WorkCompletionStatus.REM_ACCESS_ERR.ordinal();
    private static final int REM_OP_ERR = WorkCompletionStatus.REM_OP_ERR.ordinal();
    private static final int RETRY_EXC_ERR = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int SQD = QueuePairState.SQD.ordinal();
    private static final long MAX_MESSAGE = 1L << 31;
    private static final long GUARD_DEADLINE_NS = 100_000_000L;

    private final ShmContext context;
    private final long control;
    private final int token;
    private final int qpNum;
    private final int domain;
    private final int sourcePsn;
    private final boolean mayReadRemote;
    private final PeerContext peer;
    private final PeerMemory memory;
    private final long peerControl;
    private final long peerEntry;
    private final int peerQpNum;
    private final Delivery delivery = new Delivery();
    private long peerPosted;
    private long length;
    private int vendorError;

    /**
     * For a queue pair that becomes ready to send.
     *
     * @param queuePair  the local one.
     * @param peer       the context of the remote one.
     * @param attributes of the connection.
     */
    Requester(final ShmQueuePair queuePair, final PeerContext peer, final Connection attributes)
    {
        this.context = queuePair.context();
        this.peer = peer;
        control = context.control();
        token = context.token();
        qpNum = queuePair.qpNum();
        domain = queuePair.domain();
        sourcePsn = attributes.sqPsn();
        mayReadRemote = attributes.maxRdAtomic() > 0;
        memory = new PeerMemory(peer);
        peerControl = peer.control();
        peerQpNum = attributes.destQpNum();
        peerEntry = ControlLayout.queuePair(peerControl, ControlLayout.localIndex(peerQpNum));
        delivery.sourceQpNum = qpNum;
    }

    /** What the connection's own attributes say. */
    record Connection(int destQpNum, int sqPsn, int maxRdAtomic)
    {
    }

    PeerContext peer()
    {
        return peer;
    }

    /**
     * The length of the message executed last.
     *
     * @return in bytes.
     */
    long length()
    {
        return length;
    }

    /**
     * Why the kernel refused a copy, if that is why the request executed last failed.
     *
     * @return an errno, else 0.
     */
    int vendorError()
    {
        return vendorError;
    }

    /**
     * How long the peer wants to be left alone when it has no receive.
     *
     * @return in nanoseconds.
     */
    long rnrDelayNs()
    {
        return RetryTimer.rnrDelayNs(UnsafeApi.getInt(peerEntry + QueuePairEntry.MIN_RNR_TIMER_OFFSET));
    }

    /**
     * Does a request.
     *
     * @param wr     address of the send request.
     * @param sgList address of its gather list.
     * @return a value of {@code ibv_wc_status} when it is over, {@link #NOT_READY} or {@link #NO_ANSWER} when it has to
     *     be tried again.
     */
    int execute(final long wr, final long sgList)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        vendorError = 0;
        final int status = checkLocal(wr, sgList, opcode);
        if (status != SUCCESS)
        {
            return status;
        }
        if (peer.isGone())
        {
            return RETRY_EXC_ERR;
        }
        if (!isPeerMapped() || !Guard.acquire(context, peerEntry, GUARD_DEADLINE_NS))
        {
            return NO_ANSWER;
        }
        try
        {
            return isPeerListening() ? deliver(wr, sgList, opcode) : NO_ANSWER;
        }
        finally
        {
            Guard.release(context, peerEntry);
        }
    }

    private int checkLocal(final long wr, final long sgList, final int opcode)
    {
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        final boolean isInline =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.INLINE) != 0;
        final int access = opcode >= SendOpcode.RDMA_READ ? AccessFlags.LOCAL_WRITE : 0;
        long total = 0;
        for (int i = 0; i < count; i++)
        {
            final long sge = sgList + (long)i * ScatterGatherEntry.SIZE;
            final long bytes = sgeLength(sge);
            total += bytes;
            if (!isInline && bytes != 0 && !covers(control, domain, sge, access, bytes))
            {
                return LOC_PROT_ERR;
            }
        }
        length = total;
        if (total > MAX_MESSAGE || (opcode > SendOpcode.RDMA_READ && total != Long.BYTES))
        {
            return LOC_LEN_ERR;
        }
        return opcode >= SendOpcode.RDMA_READ && !mayReadRemote ? LOC_QP_OP_ERR : SUCCESS;
    }

    private boolean isPeerMapped()
    {
        return ControlLayout.localIndex(peerQpNum) < UnsafeApi.getInt(peerControl + ControlLayout.QP_LIMIT_OFFSET);
    }

    private boolean isPeerListening()
    {
        final int state = QueuePairEntry.state(peerEntry);
        if (state < RTR || state > SQD ||
            UnsafeApi.getInt(peerEntry + QueuePairEntry.QP_NUM_OFFSET) != peerQpNum ||
            UnsafeApi.getInt(peerEntry + QueuePairEntry.DEST_QP_NUM_OFFSET) != qpNum ||
            UnsafeApi.getInt(peerEntry + QueuePairEntry.RQ_PSN_OFFSET) != sourcePsn)
        {
            return false;
        }
        if (UnsafeApi.getInt(peerEntry + QueuePairEntry.ESTABLISHED_OFFSET) == 0)
        {
            UnsafeApi.putInt(peerEntry + QueuePairEntry.ESTABLISHED_OFFSET, 1);
            if (state == RTR)
            {
                AsyncEvents.raise(peerControl, token, AsyncEventType.COMM_EST, peerQpNum);
            }
        }
        return true;
    }

    private int deliver(final long wr, final long sgList, final int opcode)
    {
        return switch (opcode)
        {
            case SendOpcode.RDMA_WRITE -> write(wr, sgList);
            case SendOpcode.RDMA_WRITE_WITH_IMM -> writeWithImmediate(wr, sgList);
            case SendOpcode.SEND, SendOpcode.SEND_WITH_IMM -> send(wr, sgList, opcode);
            case SendOpcode.RDMA_READ -> read(wr, sgList);
            default -> atomic(wr, sgList, opcode);
        };
    }

    private int write(final long wr, final long sgList)
    {
        return length == 0 ? SUCCESS : access(wr, sgList, AccessFlags.REMOTE_WRITE);
    }

    private int writeWithImmediate(final long wr, final long sgList)
    {
        // The key is checked with the first packet, the receive taken with the last.
        if (length != 0 && remoteRegion(wr, rkey(wr), AccessFlags.REMOTE_WRITE) == 0)
        {
            return refuse();
        }
        if (!hasReceive())
        {
            return NOT_READY;
        }
        final int status = write(wr, sgList);
        if (status == SUCCESS)
        {
            describe(wr, CompletionOpcode.RECV_RDMA_WITH_IMM, true);
            Responder.completeReceive(peerControl, peerEntry, token, SUCCESS, delivery);
        }
        return status;
    }

    private int read(final long wr, final long sgList)
    {
        if (UnsafeApi.getInt(peerEntry + QueuePairEntry.MAX_DEST_RD_ATOMIC_OFFSET) == 0)
        {
            return invalid();
        }
        return length == 0 ? SUCCESS : access(wr, sgList, AccessFlags.REMOTE_READ);
    }

    /** Copies between the gather list and the peer's region, in the direction that the access flag says. */
    private int access(final long wr, final long sgList, final int access)
    {
        final int key = rkey(wr);
        final long region = remoteRegion(wr, key, access);
        if (region == 0)
        {
            return refuse();
        }
        final long delta = memory.delta(key, region);
        long remote = UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        for (int i = 0; i < count; i++)
        {
            final long sge = sgList + (long)i * ScatterGatherEntry.SIZE;
            final long bytes = sgeLength(sge);
            final int errno =
                memory.copy(access == AccessFlags.REMOTE_WRITE, sgeAddress(sge), remote, delta, bytes);
            if (errno != 0)
            {
                return broken(errno, sgeAddress(sge), bytes);
            }
            remote += bytes;
        }
        return SUCCESS;
    }

    private int send(final long wr, final long sgList, final int opcode)
    {
        if (!hasReceive())
        {
            return NOT_READY;
        }
        final long slot = QueuePairEntry.receiveSlot(
            peerControl, peerEntry, UnsafeApi.getLong(peerEntry + QueuePairEntry.RQ_TAKEN_OFFSET));
        final int peerDomain = UnsafeApi.getInt(peerEntry + QueuePairEntry.DOMAIN_OFFSET);
        final int count = UnsafeApi.getInt(slot + QueuePairEntry.RECEIVE_NUM_SGE_OFFSET);
        boolean isCovered = true;
        long room = 0;
        for (int i = 0; i < count && room < length; i++)
        {
            final long sge = slot + QueuePairEntry.RECEIVE_SGE_OFFSET + (long)i * ScatterGatherEntry.SIZE;
            final long bytes = sgeLength(sge);
            isCovered &= bytes == 0 || covers(peerControl, peerDomain, sge, AccessFlags.LOCAL_WRITE, bytes);
            room += bytes;
        }
        describe(wr, CompletionOpcode.RECV, opcode == SendOpcode.SEND_WITH_IMM);
        if (room < length)
        {
            return reject(LOC_LEN_ERR, REM_INV_REQ_ERR);
        }
        if (!isCovered)
        {
            return reject(LOC_PROT_ERR, REM_OP_ERR);
        }
        final int status = scatter(sgList, slot + QueuePairEntry.RECEIVE_SGE_OFFSET);
        if (status != SUCCESS)
        {
            return status == REM_OP_ERR ? reject(LOC_PROT_ERR, REM_OP_ERR) : status;
        }
        Responder.completeReceive(peerControl, peerEntry, token, SUCCESS, delivery);
        return SUCCESS;
    }

    private int scatter(final long sgList, final long receiveList)
    {
        long source = sgList;
        long target = receiveList;
        long sourceDone = 0;
        long targetDone = 0;
        long left = length;
        while (left > 0)
        {
            final long sourceLeft = sgeLength(source) - sourceDone;
            final long targetLeft = sgeLength(target) - targetDone;
            final long bytes = Math.min(sourceLeft, targetLeft);
            if (bytes > 0)
            {
                final int key = UnsafeApi.getInt(target + ScatterGatherEntry.LKEY_OFFSET);
                final long delta = memory.delta(key, ControlLayout.region(peerControl, RegionEntry.index(key)));
                final long local = sgeAddress(source) + sourceDone;
                final int errno = memory.copy(true, local, sgeAddress(target) + targetDone, delta, bytes);
                if (errno != 0)
                {
                    return blame(errno, local, bytes);
                }
            }
            left -= bytes;
            sourceDone += bytes;
            targetDone += bytes;
            if (bytes == sourceLeft)
            {
                source += ScatterGatherEntry.SIZE;
                sourceDone = 0;
            }
            if (bytes == targetLeft)
            {
                target += ScatterGatherEntry.SIZE;
                targetDone = 0;
            }
        }
        return SUCCESS;
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
        final long delta = memory.delta(key, region);
        if (delta <= PeerContext.FOREIGN)
        {
            vendorError = Errno.ENOMEM;
            return LOC_QP_OP_ERR;
        }
        final long operand = UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_COMPARE_ADD_OFFSET);
        final long before = opcode == SendOpcode.ATOMIC_FETCH_AND_ADD ?
            UnsafeApi.getAndAddLong(null, remote + delta, operand) :
            UnsafeApi.compareAndExchangeLong(
                null, remote + delta, operand, UnsafeApi.getLong(wr + SendWorkRequest.ATOMIC_SWAP_OFFSET));
        putBytes(sgList, UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET), before);
        return SUCCESS;
    }

    private static void putBytes(final long sgList, final int count, final long value)
    {
        long rest = value;
        for (int i = 0; i < count; i++)
        {
            final long sge = sgList + (long)i * ScatterGatherEntry.SIZE;
            final long bytes = sgeLength(sge);
            if (bytes == Long.BYTES)
            {
                UnsafeApi.putLong(sgeAddress(sge), value);
                return;
            }
            for (long j = 0; j < bytes; j++)
            {
                UnsafeApi.putByte(sgeAddress(sge) + j, (byte)rest);
                rest >>>= Byte.SIZE;
            }
        }
    }

    /** The peer's region that the request names, or 0 when keys, flags, domain or bounds forbid the access. */
    private long remoteRegion(final long wr, final int key, final int access)
    {
        final long region = RegionEntry.find(peerControl, key);
        return region != 0 &&
            (UnsafeApi.getInt(peerEntry + QueuePairEntry.ACCESS_OFFSET) & access) == access &&
            RegionEntry.allows(region, UnsafeApi.getInt(peerEntry + QueuePairEntry.DOMAIN_OFFSET), access,
                UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET), length) ? region : 0;
    }

    private boolean hasReceive()
    {
        final long taken = UnsafeApi.getLong(peerEntry + QueuePairEntry.RQ_TAKEN_OFFSET);
        // The count that was seen last saves a cache line; positions only grow, so it is never too high.
        if (peerPosted - taken <= 0)
        {
            peerPosted = UnsafeApi.getLongVolatile(null, peerEntry + QueuePairEntry.RQ_POSTED_OFFSET);
        }
        return peerPosted - taken > 0;
    }

    private void describe(final long wr, final int opcode, final boolean hasImmediate)
    {
        delivery.opcode = opcode;
        delivery.length = (int)length;
        delivery.flags = hasImmediate ? CompletionFlags.WITH_IMM : 0;
        delivery.imm = hasImmediate ? UnsafeApi.getInt(wr + SendWorkRequest.IMM_DATA_OFFSET) : 0;
        delivery.isSolicited =
            (UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.SOLICITED) != 0;
    }

    private int reject(final int responderStatus, final int requesterStatus)
    {
        Responder.completeReceive(peerControl, peerEntry, token, responderStatus, delivery);
        Responder.fail(peerControl, peerEntry, token, null);
        return requesterStatus;
    }

    private int refuse()
    {
        Responder.fail(peerControl, peerEntry, token, AsyncEventType.QP_ACCESS_ERR);
        return REM_ACCESS_ERR;
    }

    private int invalid()
    {
        Responder.fail(peerControl, peerEntry, token, AsyncEventType.QP_REQ_ERR);
        return REM_INV_REQ_ERR;
    }

    private int broken(final int errno, final long local, final long bytes)
    {
        final int status = blame(errno, local, bytes);
        if (status == REM_OP_ERR)
        {
            Responder.fail(peerControl, peerEntry, token, AsyncEventType.QP_FATAL);
        }
        return status;
    }

    /** The status of a request whose copy failed: it is the peer's fault only if its own address is bad. */
    private int blame(final int errno, final long local, final long bytes)
    {
        vendorError = errno;
        return switch (errno)
        {
            case Errno.ESRCH -> NO_ANSWER;
            case Errno.EFAULT -> Native.isMapped(local, bytes) ? REM_OP_ERR : LOC_PROT_ERR;
            default -> LOC_QP_OP_ERR;
        };
    }

    private static int rkey(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET);
    }

    private static long sgeAddress(final long sge)
    {
        return UnsafeApi.getLong(sge + ScatterGatherEntry.ADDRESS_OFFSET);
    }

    private static long sgeLength(final long sge)
    {
        return UnsafeApi.getInt(sge + ScatterGatherEntry.LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    private static boolean covers(
        final long control, final int domain, final long sge, final int access, final long length)
    {
        final long region = RegionEntry.find(control, UnsafeApi.getInt(sge + ScatterGatherEntry.LKEY_OFFSET));
        return region != 0 && RegionEntry.allows(region, domain, access, sgeAddress(sge), length);
    }
}
