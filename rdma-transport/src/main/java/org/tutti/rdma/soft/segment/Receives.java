/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;

import static org.tutti.rdma.soft.segment.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.RQ_FREED_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.RQ_POSTED_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.RQ_TAKEN_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.SHARED_OFFSET;

/**
 * Takes and completes the receives of a queue pair, its own or shared ones, for the holder of its guard. One receive at
 * a time is current. Its <i>ticket</i>, a number greater than 0, identifies it when its completion is polled and its
 * slot is freed. Stateless; allocates nothing.
 */
public final class Receives
{
    private Receives()
    {
    }

    /**
     * Returns the current receive; takes the next one if there is none.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair.
     * @return slot of the receive, or 0 if none is posted.
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
     * Whether a receive must be flushed in the error state.
     *
     * @param entry entry of the queue pair.
     * @return true if there is one; of shared receives only the current one counts.
     */
    public static boolean isPending(final long entry)
    {
        final long taken = UnsafeApi.getLongVolatile(null, entry + RQ_TAKEN_OFFSET);
        return isShared(entry) ? taken != 0 :
            taken != UnsafeApi.getLongVolatile(null, entry + RQ_POSTED_OFFSET);
    }

    /**
     * As {@link #isPending}, for a caller that holds the guard and takes receives until none is left; throws if the
     * counters in shared memory are corrupt.
     */
    public static boolean isLeft(final long entry)
    {
        return isPending(entry) && (isShared(entry) || QueuePairEntry.pendingReceives(entry) != 0);
    }

    public static boolean isShared(final long entry)
    {
        return UnsafeApi.getLong(entry + SHARED_OFFSET) != 0;
    }

    /**
     * The slot of the current receive.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair.
     * @return address of the slot.
     */
    public static long current(final long control, final long entry)
    {
        final long shared = UnsafeApi.getLong(entry + SHARED_OFFSET);
        final long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        return shared == 0 ? QueuePairEntry.receiveSlot(control, entry, taken) :
            SharedReceives.slot(control, SharedReceives.address(control, shared), taken);
    }

    /**
     * The ticket of the current receive.
     *
     * @param entry entry of the queue pair.
     * @return a number greater than 0.
     */
    public static long ticket(final long entry)
    {
        final long taken = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        return isShared(entry) ? taken : taken + 1;
    }

    /**
     * Finishes the current receive, whose completion is published.
     *
     * @param entry entry of the queue pair.
     */
    public static void finish(final long entry)
    {
        final long next = isShared(entry) ? 0 : UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET) + 1;
        UnsafeApi.putLongRelease(null, entry + RQ_TAKEN_OFFSET, next);
    }

    /**
     * Repairs the state left by a holder of the guard that was killed between publishing a completion and finishing the
     * receive, or between recording the ticket of a shared receive and taking the receive. The repair may itself be
     * interrupted at any point.
     *
     * @param control segment of the queue pair's owner.
     * @param entry   entry of the queue pair, whose guard the caller took over.
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
        // In this order, because polling frees a receive before the completion leaves the ring.
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
