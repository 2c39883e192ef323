/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.CompletionOpcode;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.QueuePairType;
import org.tutti.rdma.SendOpcode;
import org.tutti.rdma.SendWorkRequest;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.shm.peer.Guard;
import org.tutti.rdma.shm.peer.PeerContext;
import org.tutti.rdma.shm.peer.PeerMemory;
import org.tutti.rdma.shm.peer.PeerRegion;
import org.tutti.rdma.soft.queue.Responder;
import org.tutti.rdma.soft.queue.RetryTimer;
import org.tutti.rdma.soft.queue.SgeList;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;
import org.tutti.rdma.soft.segment.RegionEntry;

/** The common part of reliable and unreliable connections: sends and writes to one remote queue pair. */
abstract class ConnectedRequester extends Requester
{
    private static final int RETRY_EXC_ERR = WorkCompletionStatus.RETRY_EXC_ERR.ordinal();
    private static final int RTR = QueuePairState.RTR.ordinal();
    private static final int SQE = QueuePairState.SQE.ordinal();

    final long peerControl;
    final long peerEntry;
    final PeerMemory memory;
    private final PeerContext peer;
    private final int peerQpNum;
    private final int listensTo;
    private final Scatter scatter;
    private long peerPosted;

    ConnectedRequester(
        final GuardedQueuePair queuePair, final QueuePairType type, final PeerContext peer, final int peerQpNum)
    {
        super(queuePair);
        this.peer = peer;
        this.peerQpNum = peerQpNum;
        memory = new PeerMemory(peer);
        peerControl = peer.control();
        peerEntry = ControlLayout.queuePair(peerControl, ControlLayout.localIndex(peerQpNum));
        scatter = new Scatter(peerControl, memory);
        listensTo = QueuePairEntry.listensTo(type, qpNum);
    }

    /**
     * Whether the connected peer expects the requests of this queue pair now.
     *
     * @return false if the peer would not respond.
     */
    abstract boolean isExpected();

    /**
     * Executes a request other than a send or write.
     *
     * @param wr     address of the send request.
     * @param sgList address of its gather list.
     * @param opcode opcode.
     * @return the result of the request, as of {@link #execute}.
     */
    abstract int deliverOther(long wr, long sgList, int opcode);

    /**
     * Fails a request because the peer's keys, flags, domain or bounds forbid the access.
     *
     * @return the result of the request, as of {@link #execute}.
     */
    abstract int refuse();

    /**
     * Fails a request whose message is longer than the current receive.
     *
     * @return the result of the request, as of {@link #execute}.
     */
    abstract int rejectLength();

    /**
     * The status that the sender gets after a failure at the peer, which is now in the error state or gone.
     *
     * @param status status on a reliable connection.
     * @return the result of the request, as of {@link #execute}.
     */
    abstract int answer(int status);

    @Override
    final boolean isPeerDead()
    {
        return peer.checkDead();
    }

    @Override
    final long rnrDelayNs()
    {
        return RetryTimer.rnrDelayNs(UnsafeApi.getInt(peerEntry + QueuePairEntry.MIN_RNR_TIMER_OFFSET));
    }

    @Override
    final int execute(final long wr, final long sgList)
    {
        final int opcode = UnsafeApi.getInt(wr + SendWorkRequest.OPCODE_OFFSET);
        vendorError = 0;
        final int status = check(wr, sgList, opcode);
        if (status != SUCCESS)
        {
            return status;
        }
        if (peer.isGone())
        {
            return answer(RETRY_EXC_ERR);
        }
        if (!isPeerMapped() || !Guard.acquire(peers, peerControl, peerEntry, GUARD_DEADLINE_NS))
        {
            return NO_ANSWER;
        }
        try
        {
            return isPeerListening() ? deliver(wr, sgList, opcode) : NO_ANSWER;
        }
        finally
        {
            Guard.release(peers, peerEntry);
        }
    }

    /**
     * Checks a request as far as possible without the peer.
     *
     * @param wr     address of the send request.
     * @param sgList address of its gather list.
     * @param opcode opcode.
     * @return {@link #SUCCESS} or a local error.
     */
    int check(final long wr, final long sgList, final int opcode)
    {
        return checkLocal(wr, sgList, opcode);
    }

    private boolean isPeerMapped()
    {
        return ControlLayout.localIndex(peerQpNum) < UnsafeApi.getInt(peerControl + ControlLayout.QP_LIMIT_OFFSET);
    }

    private boolean isPeerListening()
    {
        final int state = QueuePairEntry.state(peerEntry);
        if (state < RTR || state > SQE ||
            UnsafeApi.getInt(peerEntry + QueuePairEntry.QP_NUM_OFFSET) != peerQpNum ||
            UnsafeApi.getInt(peerEntry + QueuePairEntry.LISTENS_TO_OFFSET) != listensTo || !isExpected())
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
            default -> deliverOther(wr, sgList, opcode);
        };
    }

    private int write(final long wr, final long sgList)
    {
        return length == 0 ? SUCCESS : access(wr, sgList, AccessFlags.REMOTE_WRITE);
    }

    private int writeWithImmediate(final long wr, final long sgList)
    {
        // As on the wire: the key is checked with the first packet, the receive taken with the last.
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

    /** Copies between the gather list and the peer's region, in the direction given by the access flag. */
    final int access(final long wr, final long sgList, final int access)
    {
        final int key = rkey(wr);
        final long region = remoteRegion(wr, key, access);
        if (region == 0)
        {
            return refuse();
        }
        final PeerRegion peerRegion = memory.region(key, region);
        long remote = UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        for (int i = 0; i < count; i++)
        {
            final long sge = SgeList.entry(sgList, i);
            final long bytes = SgeList.length(sge);
            final int errno =
                memory.copy(access == AccessFlags.REMOTE_WRITE, SgeList.address(sge), remote, peerRegion, bytes);
            if (errno != 0)
            {
                return broken(errno, SgeList.address(sge), bytes);
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
        describe(wr, CompletionOpcode.RECV, opcode == SendOpcode.SEND_WITH_IMM);
        final int fit = scatter.begin(peerEntry, Receives.current(peerControl, peerEntry), length);
        if (fit != Scatter.FITS)
        {
            return fit == Scatter.TOO_LONG ? rejectLength() : reject(LOC_PROT_ERR, REM_OP_ERR);
        }
        final int status = gather(wr, sgList, scatter);
        if (status != SUCCESS)
        {
            return status == REM_OP_ERR ? reject(LOC_PROT_ERR, REM_OP_ERR) : status;
        }
        Responder.completeReceive(peerControl, peerEntry, token, SUCCESS, delivery);
        return SUCCESS;
    }

    /** The peer's region named by the request, or 0 if keys, flags, domain or bounds forbid the access. */
    final long remoteRegion(final long wr, final int key, final int access)
    {
        final long region = RegionEntry.find(peerControl, key);
        return region != 0 &&
            (UnsafeApi.getInt(peerEntry + QueuePairEntry.ACCESS_OFFSET) & access) == access &&
            RegionEntry.allows(region, UnsafeApi.getInt(peerEntry + QueuePairEntry.DOMAIN_OFFSET), access,
                UnsafeApi.getLong(wr + SendWorkRequest.REMOTE_ADDRESS_OFFSET), length) ? region : 0;
    }

    private boolean hasReceive()
    {
        if (Receives.isShared(peerEntry))
        {
            return Receives.next(peerControl, peerEntry) != 0;
        }
        final long taken = UnsafeApi.getLong(peerEntry + QueuePairEntry.RQ_TAKEN_OFFSET);
        // The cached count saves a cache line transfer; positions only grow, so it is never too high.
        if (peerPosted - taken <= 0)
        {
            peerPosted = UnsafeApi.getLongVolatile(null, peerEntry + QueuePairEntry.RQ_POSTED_OFFSET);
        }
        return peerPosted - taken > 0;
    }

    /** Completes the current receive with an error and moves the peer's queue pair to the error state. */
    final int reject(final int responderStatus, final int requesterStatus)
    {
        Responder.completeReceive(peerControl, peerEntry, token, responderStatus, delivery);
        return fail(null, requesterStatus);
    }

    /** Moves the peer's queue pair to the error state. */
    final int fail(final AsyncEventType event, final int requesterStatus)
    {
        Responder.fail(peerControl, peerEntry, token, event);
        return answer(requesterStatus);
    }

    private int broken(final int errno, final long local, final long bytes)
    {
        final int status = blame(errno, local, bytes);
        return status == REM_OP_ERR ? fail(AsyncEventType.QP_FATAL, status) : status;
    }

    private static int rkey(final long wr)
    {
        return UnsafeApi.getInt(wr + SendWorkRequest.RDMA_RKEY_OFFSET);
    }
}
