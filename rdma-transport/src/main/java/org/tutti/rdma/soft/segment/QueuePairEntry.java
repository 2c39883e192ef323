/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairType;

/**
 * The part of a queue pair that is visible to its peer: four cache lines in the owner's control segment.
 * <pre>
 *  offset  bytes  what
 *       0      4  queue pair number, 0 while the entry is free
 *       4      4  state
 *       8      4  access flags
 *      12      4  the requests that it accepts: from bit 24 on the type of transport service, below it the number of
 *                 the queue pair that it is connected to, 0 for datagrams
 *      16      4  protection domain
 *      20      4  RNR timer, encoded
 *      24      4  reads and atomics that it accepts as responder
 *      28      4  first packet sequence number expected
 *      32      4  1 once communication is established
 *      36      4  capacity of the receive queue, a power of two
 *      40      4  bytes of a slot of the receive queue
 *      44      4  Q_Key
 *      48      8  offset of the receive queue in the segment
 *      56      8  offset of the receives' completion ring in the segment
 *      64      4  guard: token of the context that executes on the queue pair, 0 when none does
 *      68      4  protection domain of the receives
 *      72      8  receives taken (guarded); with a shared receive queue the ticket of the one that is held, or 0
 *      80      8  offset of the {@link SharedReceives} in the segment, 0 when the receives are its own
 *     128      8  receives posted
 *     200      8  receives whose completions were polled
 * </pre>
 * A slot of the receive queue is {@code wr_id} (8 bytes), {@code num_sge} (4), 4 unused, then the scatter list.
 */
public final class QueuePairEntry
{
    public static final int SIZE = 256;
    public static final int QP_NUM_OFFSET = 0;
    public static final int STATE_OFFSET = 4;
    public static final int ACCESS_OFFSET = 8;
    public static final int LISTENS_TO_OFFSET = 12;
    public static final int DOMAIN_OFFSET = 16;
    public static final int MIN_RNR_TIMER_OFFSET = 20;
    public static final int MAX_DEST_RD_ATOMIC_OFFSET = 24;
    public static final int RQ_PSN_OFFSET = 28;
    public static final int ESTABLISHED_OFFSET = 32;
    public static final int RQ_CAPACITY_OFFSET = 36;
    public static final int RQ_SLOT_SIZE_OFFSET = 40;
    public static final int QKEY_OFFSET = 44;
    public static final int RQ_OFFSET = 48;
    public static final int RECEIVE_RING_OFFSET = 56;
    public static final int GUARD_OFFSET = 64;
    public static final int RECEIVE_DOMAIN_OFFSET = 68;
    public static final int RQ_TAKEN_OFFSET = 72;
    public static final int SHARED_OFFSET = 80;
    public static final int RQ_POSTED_OFFSET = 128;
    public static final int RQ_FREED_OFFSET = 200;

    public static final int RECEIVE_NUM_SGE_OFFSET = 8;
    public static final int RECEIVE_SGE_OFFSET = 16;

    private QueuePairEntry()
    {
    }

    /**
     * Encodes which requests a queue pair accepts, so that one comparison checks transport type and sender.
     *
     * @param type  type of the transport service.
     * @param qpNum number of the peer's queue pair, 0 for datagrams.
     * @return a value greater than 0.
     */
    public static int listensTo(final QueuePairType type, final int qpNum)
    {
        return type.value() << 24 | qpNum;
    }

    public static int state(final long entry)
    {
        return UnsafeApi.getIntVolatile(null, entry + STATE_OFFSET);
    }

    /** The completion ring of the receives. */
    public static long receiveRing(final long control, final long entry)
    {
        return SegmentBounds.address(control, UnsafeApi.getLong(entry + RECEIVE_RING_OFFSET),
            CompletionRing.HEADER_SIZE, "the offset of a completion ring");
    }

    /** The number of the queue pair's own receives that are posted and not taken; the caller holds the guard. */
    static long pendingReceives(final long entry)
    {
        final long taken = UnsafeApi.getLongVolatile(null, entry + RQ_TAKEN_OFFSET);
        return SegmentBounds.count(UnsafeApi.getLongVolatile(null, entry + RQ_POSTED_OFFSET) - taken,
            QueueLimits.MAX_WORK_REQUESTS, "the number of posted receives");
    }

    /**
     * A slot of the queue pair's own receive queue.
     *
     * @param control  segment of the owner.
     * @param entry    entry of the queue pair.
     * @param position position of the receive.
     * @return address of the slot.
     */
    public static long receiveSlot(final long control, final long entry, final long position)
    {
        final long index = position & (UnsafeApi.getInt(entry + RQ_CAPACITY_OFFSET) - 1);
        final long offset =
            UnsafeApi.getLong(entry + RQ_OFFSET) + index * UnsafeApi.getInt(entry + RQ_SLOT_SIZE_OFFSET);
        return SegmentBounds.address(control, offset, RECEIVE_SGE_OFFSET, "the offset of a receive");
    }

    /**
     * Writes the attributes that peers see and that may change in any state.
     *
     * @param entry  entry of the queue pair, whose guard the caller holds.
     * @param values values to copy from.
     * @param mask   a sum of {@link QueuePairAttributeMask}: the values to copy.
     */
    public static void set(final long entry, final QueuePairAttributes values, final int mask)
    {
        if ((mask & QueuePairAttributeMask.ACCESS_FLAGS) != 0)
        {
            UnsafeApi.putInt(entry + ACCESS_OFFSET, values.accessFlags);
        }
        if ((mask & QueuePairAttributeMask.QKEY) != 0)
        {
            UnsafeApi.putInt(entry + QKEY_OFFSET, values.qkey);
        }
        if ((mask & QueuePairAttributeMask.MIN_RNR_TIMER) != 0)
        {
            UnsafeApi.putInt(entry + MIN_RNR_TIMER_OFFSET, values.minRnrTimer);
        }
        if ((mask & QueuePairAttributeMask.MAX_DEST_RD_ATOMIC) != 0)
        {
            UnsafeApi.putInt(entry + MAX_DEST_RD_ATOMIC_OFFSET, values.maxDestRdAtomic);
        }
    }
}
