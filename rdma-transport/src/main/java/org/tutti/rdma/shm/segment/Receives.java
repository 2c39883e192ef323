/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.agrona.UnsafeApi;

import static org.tutti.rdma.shm.segment.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.shm.segment.QueuePairEntry.RQ_FREED_OFFSET;
import static org.tutti.rdma.shm.segment.QueuePairEntry.RQ_POSTED_OFFSET;
import static org.tutti.rdma.shm.segment.QueuePairEntry.RQ_TAKEN_OFFSET;
import static org.tutti.rdma.shm.segment.QueuePairEntry.SHARED_OFFSET;

/**
 * The receives of a queue pair, its own or shared ones, as the holder of its guard takes and completes them. One at a
 * time is in hand; its <i>ticket</i>, more than 0, is what polling its completion frees. Stateless; allocates
 * nothing.
 */
public final class Receives
{
    private Receives()
    {
    }

    /**
     * Takes the next receive in hand, or the one that is.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair.
     * @return its slot, or 0 when there is none.
     */
    public static long next(final long control, final long entry)
    {
        final long shared = UnsafeApi.getLong(entry + SHARED_OFFSET);
        if (shared != 0)
        {
            return SharedReceives.take(control, entry, SharedReceives.address(control, shared));
        }
        return QueuePairEntry.pendingReceives(entry) == 0 ? 0 :
            QueuePairEntry.receiveSlot(control, entry, UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET));
    }

    /**
     * Whether there is a receive that has to be flushed in the error state.
     *
     * @param entry entry of the queue pair.
     * @return of shared receives only what is in hand.
     */
    public static boolean isPending(final long entry)
    {
        final long taken = UnsafeApi.getLongVolatile(null, entry + RQ_TAKEN_OFFSET);
        return isShared(entry) ? taken != 0 :
            taken != UnsafeApi.getLongVolatile(null, entry + RQ_POSTED_OFFSET);
    }

    /** The same, checked, for a caller that holds the guard, and takes them until there is none. */
    public static boolean isLeft(final long entry)
    {
        return isPending(entry) && (isShared(entry) || QueuePairEntry.pendingReceives(entry) != 0);
    }

    public static boolean isShared(final long entry)
    {
        return UnsafeApi.getLong(entry + SHARED_OFFSET) != 0;
    }

    /**
     * The slot of the receive in hand.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair.
     * @return its address.
     */
    public static long current(final long control, final long entry)
    {
        final long shared = UnsafeApi.getLong(entry + SHARED_OFFSET);
        final long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        return shared == 0 ? QueuePairEntry.receiveSlot(control, entry, taken) :
            SharedReceives.slot(control, SharedReceives.address(control, shared), taken);
    }

    /**
     * The ticket of the receive in hand.
     *
     * @param entry entry of the queue pair.
     * @return more than 0.
     */
    public static long ticket(final long entry)
    {
        final long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        return isShared(entry) ? taken : taken + 1;
    }

    /**
     * Lets go of the receive in hand, whose completion is published.
     *
     * @param entry entry of the queue pair.
     */
    public static void finish(final long entry)
    {
        final long next = isShared(entry) ? 0 : UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET) + 1;
        UnsafeApi.putLongRelease(null, entry + RQ_TAKEN_OFFSET, next);
    }

    /**
     * Puts right what a killed holder of the guard left: between publishing a completion and letting go of the
     * receive, or between asking for a shared one and getting it. May itself end anywhere.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair, whose guard the caller just took from the dead.
     */
    public static void recover(final long control, final long entry)
    {
        if (!isPending(entry))
        {
            return;
        }
        final int qpNum = UnsafeApi.getInt(entry + QP_NUM_OFFSET);
        final long ticket = ticket(entry);
        final long ring = QueuePairEntry.receiveRing(control, entry);
        // In this order: what is polled meanwhile is freed before it leaves the ring.
        if (CompletionRing.contains(control, ring, qpNum, -ticket) || isFreed(control, entry, ticket))
        {
            finish(entry);
        }
    }

    private static boolean isFreed(final long control, final long entry, final long ticket)
    {
        final long shared = UnsafeApi.getLong(entry + SHARED_OFFSET);
        return shared == 0 ? UnsafeApi.getLongVolatile(null, entry + RQ_FREED_OFFSET) >= ticket :
            !SharedReceives.isHeld(control, entry, SharedReceives.address(control, shared), ticket);
    }
}
