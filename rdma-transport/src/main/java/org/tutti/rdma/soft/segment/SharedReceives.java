/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;

import static org.tutti.rdma.soft.segment.QueuePairEntry.QP_NUM_OFFSET;
import static org.tutti.rdma.soft.segment.QueuePairEntry.RQ_TAKEN_OFFSET;

/**
 * The part of a shared receive queue that is visible to its takers, in the owner's control segment.
 * <pre>
 *  offset  bytes  what
 *       0      4  owner's number of the queue
 *       4      4  ring's mask
 *       8      4  bytes of a slot
 *      16      8  offset of the ring in the segment; its entry of a position, 4 bytes, is the index of the slot
 *                 that was posted there
 *      24      8  offset of the slots in the segment
 *      32      4  limit: greater than 0 if armed, negative once fewer receives are left, 0 after its event
 *      64      8  receives taken
 *     128      8  receives posted
 * </pre>
 * A slot starts with its <i>claim</i> (8 bytes: from bit 24 on the position, below it the number of the queue pair that
 * took the receive, 0 until then; all 0 while the slot is free) and 8 unused bytes; the rest has the layout of a slot
 * in a queue pair's own receive queue.
 * <p>
 * Taking is lock-free: the taker records the ticket in its queue pair's entry, claims the slot by a CAS, and advances
 * the count. If it is killed in between, other takers advance the count, and the claimed receive stays with its queue
 * pair. Requires the queue pair's guard. Stateless; allocates nothing.
 */
public final class SharedReceives
{
    public static final int SIZE = 256;
    public static final int NUMBER_OFFSET = 0;
    public static final int MASK_OFFSET = 4;
    public static final int SLOT_SIZE_OFFSET = 8;
    public static final int RING_OFFSET = 16;
    public static final int SLOTS_OFFSET = 24;
    public static final int LIMIT_OFFSET = 32;
    public static final int TAKEN_OFFSET = 64;
    public static final int POSTED_OFFSET = 128;
    /** Length of a slot's header, in front of the receive. */
    public static final int SLOT_HEADER = 16;

    private static final int QP_NUM_BITS = 24;
    private static final int INDEX_BITS = 16;
    private static final long POSITION_MASK = (1L << 46) - 1;

    private SharedReceives()
    {
    }

    /**
     * Returns the current receive of a queue pair; takes the oldest one of the queue if there is none.
     *
     * @param control segment of the owner.
     * @param entry   entry of the queue pair.
     * @param shared  address of the queue.
     * @return address of the receive in its slot, or 0 if there is none.
     */
    static long take(final long control, final long entry, final long shared)
    {
        final long held = UnsafeApi.getLong(entry + RQ_TAKEN_OFFSET);
        if (held != 0)
        {
            return slot(control, shared, held);
        }
        final int qpNum = UnsafeApi.getInt(entry + QP_NUM_OFFSET);
        while (true)
        {
            final long position = UnsafeApi.getLongVolatile(null, shared + TAKEN_OFFSET);
            final long posted = UnsafeApi.getLongVolatile(null, shared + POSTED_OFFSET);
            if (posted - position > 1 << INDEX_BITS &&
                UnsafeApi.getLongVolatile(null, shared + TAKEN_OFFSET) != position)
            {
                // Other threads have taken many receives while this thread was stopped between the two loads.
                continue;
            }
            if (SegmentBounds.count(posted - position, 1 << INDEX_BITS, "the number of posted shared receives") == 0)
            {
                UnsafeApi.putLong(entry + RQ_TAKEN_OFFSET, 0);
                return 0;
            }
            final long ticket = ticket(position, UnsafeApi.getInt(ringEntry(control, shared, position)));
            UnsafeApi.putLongVolatile(null, entry + RQ_TAKEN_OFFSET, ticket);
            // Fails if another taker was faster, even if the slot was posted again since.
            final long slot = slot(control, shared, ticket);
            final boolean isMine = SharedAtomics.compareAndSetLong(
                slot - SLOT_HEADER, claim(position, 0), claim(position, qpNum));
            SharedAtomics.compareAndSetLong(shared + TAKEN_OFFSET, position, position + 1);
            if (isMine)
            {
                noteLimit(control, shared, posted - position - 1);
                return slot;
            }
        }
    }

    /**
     * Records that the limit was reached and wakes the owner, which raises the event: the taker might be killed before
     * it could.
     */
    private static void noteLimit(final long control, final long shared, final long left)
    {
        final int limit = UnsafeApi.getIntVolatile(null, shared + LIMIT_OFFSET);
        if (left < limit && SharedAtomics.compareAndSetInt(shared + LIMIT_OFFSET, limit, -limit))
        {
            CompletionRing.wake(control + ControlLayout.EVENT_WORD_OFFSET);
            CompletionRing.wake(control + ControlLayout.DOORBELL_OFFSET);
        }
    }

    /**
     * Whether the receive of a ticket is held by the queue pair.
     *
     * @param control segment of the owner.
     * @param entry   entry of the queue pair.
     * @param shared  address of the queue.
     * @param ticket  ticket of the receive.
     * @return false if another queue pair took it, or its completion was polled.
     */
    static boolean isHeld(final long control, final long entry, final long shared, final long ticket)
    {
        final long claim = UnsafeApi.getLongVolatile(null, slot(control, shared, ticket) - SLOT_HEADER);
        return claim == claim((ticket - 1) >>> INDEX_BITS, UnsafeApi.getInt(entry + QP_NUM_OFFSET));
    }

    /**
     * The receive of a ticket.
     *
     * @param control segment of the owner.
     * @param shared  address of the queue.
     * @param ticket  ticket of the receive.
     * @return address after the slot's header.
     */
    public static long slot(final long control, final long shared, final long ticket)
    {
        final long offset = UnsafeApi.getLong(shared + SLOTS_OFFSET) +
            (long)index(ticket) * UnsafeApi.getInt(shared + SLOT_SIZE_OFFSET);
        return SegmentBounds.address(
            control, offset, SLOT_HEADER + QueuePairEntry.RECEIVE_SGE_OFFSET, "the offset of a shared receive") +
            SLOT_HEADER;
    }

    /** The address of a shared receive queue, from its offset in the segment. */
    static long address(final long control, final long offset)
    {
        return SegmentBounds.address(control, offset, SIZE, "the offset of a shared receive queue");
    }

    public static int index(final long ticket)
    {
        return (int)(ticket - 1) & ((1 << INDEX_BITS) - 1);
    }

    /**
     * The entry of the ring that holds the slot index of the receive at a position.
     *
     * @param control  segment of the owner.
     * @param shared   address of the queue.
     * @param position position of the receive.
     * @return address of the entry.
     */
    public static long ringEntry(final long control, final long shared, final long position)
    {
        final long index = SegmentBounds.count(
            position & UnsafeApi.getInt(shared + MASK_OFFSET), (1 << INDEX_BITS) - 1, "an index of shared receives");
        final long pair = index >> 1 << 1;
        return SegmentBounds.address(control, UnsafeApi.getLong(shared + RING_OFFSET) + pair * Integer.BYTES,
            Long.BYTES, "the offset of the ring of shared receives") + (index - pair) * Integer.BYTES;
    }

    /**
     * Encodes the first word of a slot.
     *
     * @param position position at which the receive was posted.
     * @param qpNum    number of the queue pair that took the receive, or 0.
     * @return the claim, never 0, because positions start at 1.
     */
    public static long claim(final long position, final int qpNum)
    {
        return position << QP_NUM_BITS | qpNum;
    }

    private static long ticket(final long position, final int index)
    {
        return ((position & POSITION_MASK) << INDEX_BITS | index) + 1;
    }

    /**
     * The number of receives that are posted and not taken.
     *
     * @param shared address of the queue.
     * @return a snapshot.
     */
    public static long left(final long shared)
    {
        final long posted = UnsafeApi.getLongVolatile(null, shared + POSTED_OFFSET);
        return posted - UnsafeApi.getLongVolatile(null, shared + TAKEN_OFFSET);
    }
}
