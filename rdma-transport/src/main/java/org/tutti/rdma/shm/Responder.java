/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;

import static org.tutti.rdma.shm.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.shm.QueuePairEntry.RECEIVE_RING_OFFSET;
import static org.tutti.rdma.shm.QueuePairEntry.RQ_POSTED_OFFSET;
import static org.tutti.rdma.shm.QueuePairEntry.RQ_TAKEN_OFFSET;
import static org.tutti.rdma.shm.QueuePairEntry.STATE_OFFSET;

/**
 * What happens on a queue pair's receiving side, done by whoever holds its {@link Guard}: the peer's process as a rule,
 * the owner's when it changes the state. Stateless; allocates nothing.
 */
final class Responder
{
    private static final int ERR = QueuePairState.ERR.ordinal();

    private Responder()
    {
    }

    /**
     * Completes the oldest receive.
     *
     * @param control  segment of the queue pair's owner.
     * @param entry    of the queue pair, whose guard the caller holds and which has a receive.
     * @param token    of the context that the caller runs in.
     * @param status   of {@code ibv_wc_status}.
     * @param delivery what the completion tells of the message.
     */
    static void completeReceive(
        final long control, final long entry, final int token, final int status, final Delivery delivery)
    {
        final long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        final long ring = control + UnsafeApi.getLong(entry + RECEIVE_RING_OFFSET);
        final long position = CompletionRing.claim(ring, token);
        if (position >= 0)
        {
            final long slot = CompletionRing.slot(ring, position);
            final long wrId = UnsafeApi.getLong(QueuePairEntry.receiveSlot(control, entry, taken));
            CompletionRing.putRequest(slot, wrId, status, UnsafeApi.getInt(entry + QP_NUM_OFFSET), -(taken + 1));
            CompletionRing.putDetail(
                slot, delivery.opcode, delivery.length, delivery.flags, delivery.imm, delivery.sourceQpNum);
            CompletionRing.publish(control, ring, position, token, delivery.isSolicited || status != 0);
        }
        // Published first: killed in between, the receive is completed twice, and the poller drops the second.
        UnsafeApi.putLongRelease(null, entry + RQ_TAKEN_OFFSET, taken + 1);
        if (position < 0)
        {
            overrun(control, ring, token);
            fail(control, entry, token, AsyncEventType.QP_FATAL);
        }
    }

    /**
     * Takes the queue pair to the error state and flushes its receives; its sends are flushed by the owner.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   of the queue pair, whose guard the caller holds.
     * @param token   of the context that the caller runs in.
     * @param event   that the owner is told, or null for none.
     */
    static void fail(final long control, final long entry, final int token, final AsyncEventType event)
    {
        if (QueuePairEntry.state(entry) != ERR)
        {
            UnsafeApi.putIntVolatile(null, entry + STATE_OFFSET, ERR);
            if (event != null)
            {
                AsyncEvents.raise(control, token, event, UnsafeApi.getInt(entry + QP_NUM_OFFSET));
            }
            CompletionRing.wake(control + ControlLayout.DOORBELL_OFFSET);
        }
        UnsafeApi.fullFence();
        flushReceives(control, entry, token);
    }

    /**
     * Completes all receives as flushed.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   of the queue pair, whose guard the caller holds.
     * @param token   of the context that the caller runs in.
     */
    static void flushReceives(final long control, final long entry, final int token)
    {
        final long ring = control + UnsafeApi.getLong(entry + RECEIVE_RING_OFFSET);
        long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        while (taken != UnsafeApi.getLongVolatile(null, entry + RQ_POSTED_OFFSET))
        {
            final long position = CompletionRing.claim(ring, token);
            if (position < 0)
            {
                overrun(control, ring, token);
            }
            else
            {
                final long wrId = UnsafeApi.getLong(QueuePairEntry.receiveSlot(control, entry, taken));
                CompletionRing.putRequest(CompletionRing.slot(ring, position), wrId,
                    WorkCompletionStatus.WR_FLUSH_ERR.ordinal(), UnsafeApi.getInt(entry + QP_NUM_OFFSET),
                    -(taken + 1));
                CompletionRing.publish(control, ring, position, token, true);
            }
            taken++;
            UnsafeApi.putLongRelease(null, entry + RQ_TAKEN_OFFSET, taken);
        }
    }

    /**
     * Tells the owner, once, that one of its completion queues overran.
     *
     * @param control segment of the owner.
     * @param ring    of the queue.
     * @param token   of the context that the caller runs in.
     */
    static void overrun(final long control, final long ring, final int token)
    {
        if (CompletionRing.overrun(ring))
        {
            AsyncEvents.raise(control, token, AsyncEventType.CQ_ERR, CompletionRing.number(ring));
        }
    }
}
