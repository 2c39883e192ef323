/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AsyncEventType;
import org.tutti.rdma.QueuePairState;
import org.tutti.rdma.WorkCompletionStatus;
import org.tutti.rdma.soft.segment.AsyncEvents;
import org.tutti.rdma.soft.segment.CompletionRing;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.Delivery;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.Receives;

import static org.tutti.rdma.soft.segment.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.STATE_OFFSET;

/**
 * Runs the receiving side of a queue pair. The caller holds its guard: usually a thread of the peer's process,
 * or of the owner's during a state change. Stateless; allocates nothing.
 */
public final class Responder
{
    private static final int ERR = QueuePairState.ERR.ordinal();

    private Responder()
    {
    }

    /**
     * Completes the current receive.
     *
     * @param control  segment of the queue pair's owner.
     * @param entry    entry of the queue pair, whose guard the caller holds.
     * @param token    token of the caller's context.
     * @param status   value of {@code ibv_wc_status}.
     * @param delivery properties of the message.
     */
    public static void completeReceive(
        final long control, final long entry, final int token, final int status, final Delivery delivery)
    {
        final long ring = QueuePairEntry.receiveRing(control, entry);
        final long position = CompletionRing.claim(control, ring, token);
        if (position >= 0)
        {
            final long slot = putReceive(control, entry, ring, position, status);
            CompletionRing.putDetail(slot, delivery);
            CompletionRing.publish(control, ring, position, token, delivery.isSolicited || status != 0);
        }
        // Published first: if this process is killed in between, the completion shows that the receive is done.
        Receives.finish(entry);
        if (position < 0)
        {
            overrun(control, ring, token);
            fail(control, entry, token, AsyncEventType.QP_FATAL);
        }
    }

    /**
     * Drops a message of an unreliable service that is longer than the current receive, which is kept for the next
     * message. A shared receive cannot be kept and is completed; the queue pair stays operational.
     *
     * @param control  segment of the queue pair's owner.
     * @param entry    entry of the queue pair, whose guard the caller holds.
     * @param token    token of the caller's context.
     * @param delivery properties of the message.
     */
    public static void dropLong(final long control, final long entry, final int token, final Delivery delivery)
    {
        if (Receives.isShared(entry))
        {
            completeReceive(control, entry, token, WorkCompletionStatus.LOC_LEN_ERR.ordinal(), delivery);
        }
    }

    /**
     * Moves the queue pair to the error state and flushes its receives; the owner flushes its sends.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair, whose guard the caller holds.
     * @param token   token of the caller's context.
     * @param event   the event for the owner, or null for none.
     */
    public static void fail(final long control, final long entry, final int token, final AsyncEventType event)
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
     * Flushes all of the queue pair's own receives, or the current shared receive.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair, whose guard the caller holds.
     * @param token   token of the caller's context.
     */
    public static void flushReceives(final long control, final long entry, final int token)
    {
        final long ring = QueuePairEntry.receiveRing(control, entry);
        while (Receives.isLeft(entry))
        {
            final long position = CompletionRing.claim(control, ring, token);
            if (position < 0)
            {
                overrun(control, ring, token);
            }
            else
            {
                putReceive(control, entry, ring, position, WorkCompletionStatus.WR_FLUSH_ERR.ordinal());
                CompletionRing.publish(control, ring, position, token, true);
            }
            Receives.finish(entry);
        }
    }

    private static long putReceive(
        final long control, final long entry, final long ring, final long position, final int status)
    {
        final long slot = CompletionRing.slot(control, ring, position);
        final long wrId = UnsafeApi.getLong(Receives.current(control, entry));
        CompletionRing.putRequest(
            slot, wrId, status, UnsafeApi.getInt(entry + QP_NUM_OFFSET), -Receives.ticket(entry));
        return slot;
    }

    /**
     * Notifies the owner, once, that one of its completion queues overran.
     *
     * @param control segment of the owner.
     * @param ring    ring of the completion queue.
     * @param token   token of the caller's context.
     */
    public static void overrun(final long control, final long ring, final int token)
    {
        if (CompletionRing.overrun(ring))
        {
            AsyncEvents.raise(control, token, AsyncEventType.CQ_ERR, CompletionRing.number(ring));
        }
    }
}
