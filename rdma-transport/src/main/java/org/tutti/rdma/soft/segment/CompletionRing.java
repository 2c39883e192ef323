/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.tutti.rdma.WorkCompletion;
import org.tutti.rdma.os.WaitCalls;

/**
 * A bounded ring of 64-byte slots in shared memory: many producers, in any process that maps it, and one consumer at a
 * time. It carries completions and asynchronous events.
 * <pre>
 *  offset  what
 *       0  capacity, mask (4 bytes each), offset of the channel's word or 0 (8), number (4), overrun (4),
 *          offset of the slots from here (8)
 *      64  head: the consumer's position
 *     128  tail: low half the next position, high half the token of the last claimant;
 *     136  the producers' copy of head, which may be old
 *     192  notify: bits 0 and 1 what the ring is armed for, above them the number of events not taken yet
 *     256  slots, unless they moved when the ring was resized: 48 bytes of {@code struct ibv_wc},
 *          8 bytes: what polling frees, see {@link #FREES_OFFSET}; 8 bytes: the control word
 * </pre>
 * A producer may be preempted or killed at any point without blocking other producers. One CAS of the tail claims a
 * position and names the claimant; then the slot is written and published by a release store of its control word
 * (position, published bit, token). Consecutive claims by one token are a <i>run</i>; the tail names the token of the
 * last run. A producer with another token, before it claims, marks the last slot of that run with the token of the run.
 * So the claimant of an unpublished slot is the token of the first marked or published slot at or after it, or else the
 * token in the tail. The consumer skips a slot whose claimant is dead. Positions wrap at 2^32.
 * <p>
 * Polling writes only the head, which producers read only once per lap of the ring, so a completion costs the transfer
 * of only one cache line.
 */
public final class CompletionRing
{
    static final int HEADER_SIZE = 256;
    static final int SLOT_SIZE = 64;
    /**
     * Offset, in a slot, of an 8-byte number that says what polling the completion frees: if positive, the slots of the
     * send queue before this position; if negative, the receive whose ticket (see {@link Receives}) is the negated
     * number.
     */
    public static final int FREES_OFFSET = 48;
    /** Used instead of a position if the completion is not delivered. */
    public static final long VOID = Long.MIN_VALUE;

    private static final int CAPACITY_OFFSET = 0;
    private static final int MASK_OFFSET = 4;
    private static final int CHANNEL_OFFSET = 8;
    private static final int NUMBER_OFFSET = 16;
    private static final int OVERRUN_OFFSET = 20;
    private static final int SLOTS_OFFSET = 24;
    private static final int HEAD_OFFSET = 64;
    private static final int TAIL_OFFSET = 128;
    private static final int HEAD_COPY_OFFSET = 136;
    private static final int NOTIFY_OFFSET = 192;
    private static final int CONTROL_OFFSET = 56;
    private static final int ARMED_MASK = 3;
    private static final int ARMED_ANY = 1;
    private static final int ARMED_SOLICITED = 2;
    private static final int PUBLISHED = 1 << 31;

    private CompletionRing()
    {
    }

    public static long length(final int capacity)
    {
        return HEADER_SIZE + slotsLength(capacity);
    }

    public static long slotsLength(final int capacity)
    {
        return (long)SLOT_SIZE * slots(capacity);
    }

    /**
     * Initializes an empty ring.
     *
     * @param ring          address of zeroed memory, {@link #length} bytes.
     * @param capacity      maximum number of slots in use.
     * @param channelOffset offset of the channel's word from the start of the control segment, 0 for none.
     * @param number        number by which the owner finds the queue of the ring.
     */
    public static void init(final long ring, final int capacity, final long channelOffset, final int number)
    {
        UnsafeApi.setMemory(ring, length(capacity), (byte)0);
        UnsafeApi.putInt(ring + CAPACITY_OFFSET, capacity);
        UnsafeApi.putInt(ring + MASK_OFFSET, slots(capacity) - 1);
        UnsafeApi.putLong(ring + CHANNEL_OFFSET, channelOffset);
        UnsafeApi.putInt(ring + NUMBER_OFFSET, number);
        UnsafeApi.putLong(ring + SLOTS_OFFSET, HEADER_SIZE);
    }

    /**
     * Moves the ring's contents to other slots; the caller prevents concurrent producers and consumers.
     *
     * @param control  control segment that contains the ring.
     * @param ring     address of the ring.
     * @param capacity maximum number of slots in use, at least the current number.
     * @param slots    address of zeroed memory in the same segment, {@link #slotsLength} bytes.
     */
    public static void move(final long control, final long ring, final int capacity, final long slots)
    {
        final int mask = slots(capacity) - 1;
        final int head = head(ring);
        final int tail = head + held(ring, head);
        for (int position = head; position != tail; position++)
        {
            final long from = slot(control, ring, position & 0xFFFF_FFFFL);
            // A slot that a killed producer claimed but did not publish stays unpublished, with its mark if it has one.
            if ((int)(UnsafeApi.getLong(from + CONTROL_OFFSET) >>> 32) == position)
            {
                UnsafeApi.copyMemory(from, slots + (long)SLOT_SIZE * (position & mask), SLOT_SIZE);
            }
        }
        UnsafeApi.putInt(ring + CAPACITY_OFFSET, capacity);
        UnsafeApi.putInt(ring + MASK_OFFSET, mask);
        UnsafeApi.putLongVolatile(null, ring + SLOTS_OFFSET, slots - ring);
    }

    /**
     * Claims the next position.
     *
     * @param control control segment that contains the ring.
     * @param ring    address of the ring.
     * @param token   token of the claiming context.
     * @return the position, from 0 to 2^32 - 1, to be passed to {@link #publish} promptly by the same thread; -1 if the
     *     ring is full.
     */
    public static long claim(final long control, final long ring, final int token)
    {
        while (true)
        {
            final long tail = UnsafeApi.getLongVolatile(null, ring + TAIL_OFFSET);
            final int position = (int)tail;
            if (isFull(ring, position))
            {
                if (UnsafeApi.getLongVolatile(null, ring + TAIL_OFFSET) != tail)
                {
                    continue;
                }
                return -1;
            }
            final int last = (int)(tail >>> 32);
            if (last != token && last != 0)
            {
                mark(control, ring, position - 1, last);
            }
            if (SharedAtomics.compareAndSetLong(ring + TAIL_OFFSET, tail, pack(position + 1, token)))
            {
                return position & 0xFFFF_FFFFL;
            }
        }
    }

    public static long slot(final long control, final long ring, final long position)
    {
        final long offset = ring - control + UnsafeApi.getLong(ring + SLOTS_OFFSET) +
            SLOT_SIZE * (position & UnsafeApi.getInt(ring + MASK_OFFSET));
        return SegmentBounds.address(control, offset, SLOT_SIZE, "the offset of a completion");
    }

    /**
     * Writes the fields that all completions have.
     *
     * @param slot   slot from {@link #slot}.
     * @param wrId   work request ID of the request.
     * @param status value of {@code ibv_wc_status}.
     * @param qpNum  number of the queue pair that the request was posted to.
     * @param frees  encoded release, see {@link #FREES_OFFSET}.
     */
    public static void putRequest(final long slot, final long wrId, final int status, final int qpNum, final long frees)
    {
        UnsafeApi.putLong(slot + WorkCompletion.WR_ID_OFFSET, wrId);
        UnsafeApi.putInt(slot + WorkCompletion.STATUS_OFFSET, status);
        UnsafeApi.putInt(slot + WorkCompletion.VENDOR_ERR_OFFSET, 0);
        UnsafeApi.putInt(slot + WorkCompletion.QP_NUM_OFFSET, qpNum);
        UnsafeApi.putLong(slot + FREES_OFFSET, frees);
    }

    /**
     * Writes the fields of a send completion that are valid only if the send succeeded.
     *
     * @param slot   slot from {@link #slot}.
     * @param opcode value of {@code ibv_wc_opcode}.
     * @param length length in bytes.
     */
    public static void putDetail(final long slot, final int opcode, final int length)
    {
        UnsafeApi.putInt(slot + WorkCompletion.OPCODE_OFFSET, opcode);
        UnsafeApi.putInt(slot + WorkCompletion.BYTE_LEN_OFFSET, length);
        UnsafeApi.putInt(slot + WorkCompletion.IMM_DATA_OFFSET, 0);
        UnsafeApi.putInt(slot + WorkCompletion.SRC_QP_OFFSET, 0);
        UnsafeApi.putInt(slot + WorkCompletion.WC_FLAGS_OFFSET, 0);
        UnsafeApi.putLong(slot + WorkCompletion.PKEY_INDEX_OFFSET, 0);
    }

    /**
     * Writes the fields of a receive completion that are valid only if the receive succeeded.
     *
     * @param slot     slot from {@link #slot}.
     * @param delivery delivery to copy from.
     */
    public static void putDetail(final long slot, final Delivery delivery)
    {
        UnsafeApi.putInt(slot + WorkCompletion.OPCODE_OFFSET, delivery.opcode);
        UnsafeApi.putInt(slot + WorkCompletion.BYTE_LEN_OFFSET, delivery.length);
        UnsafeApi.putInt(slot + WorkCompletion.IMM_DATA_OFFSET, delivery.imm);
        UnsafeApi.putInt(slot + WorkCompletion.SRC_QP_OFFSET, delivery.sourceQpNum);
        UnsafeApi.putInt(slot + WorkCompletion.WC_FLAGS_OFFSET, delivery.flags);
        UnsafeApi.putLong(slot + WorkCompletion.PKEY_INDEX_OFFSET, delivery.path);
    }

    /**
     * Publishes a claimed slot to the consumer, with all earlier stores, and signals the channel if armed.
     *
     * @param control   control segment that contains the ring.
     * @param ring      address of the ring.
     * @param position  position from {@link #claim}.
     * @param token     token of the claiming context.
     * @param solicited whether to wake threads that wait for solicited events and failures only.
     */
    public static void publish(
        final long control, final long ring, final long position, final int token, final boolean solicited)
    {
        UnsafeApi.putLongRelease(
            null, slot(control, ring, position) + CONTROL_OFFSET, pack(token | PUBLISHED, (int)position));

        final long channelOffset = UnsafeApi.getLong(ring + CHANNEL_OFFSET);
        if (channelOffset != 0)
        {
            UnsafeApi.fullFence();
            final long channel =
                SegmentBounds.address(control, channelOffset, Long.BYTES, "the offset of a completion channel");
            notifyChannel(ring, channel, solicited);
        }
    }

    /**
     * The slot to be consumed next.
     *
     * @param control control segment that contains the ring.
     * @param ring    address of the ring.
     * @param head    the consumer's position.
     * @return address of the slot, or 0 if it is not published.
     */
    public static long peek(final long control, final long ring, final int head)
    {
        final long slot = slot(control, ring, head & 0xFFFF_FFFFL);
        final long word = UnsafeApi.getLongAcquire(null, slot + CONTROL_OFFSET);
        return (int)word < 0 && (int)(word >>> 32) == head ? slot : 0;
    }

    public static int head(final long ring)
    {
        return UnsafeApi.getInt(ring + HEAD_OFFSET);
    }

    /**
     * Returns slots to the producers; called by the consumer only.
     *
     * @param ring address of the ring.
     * @param head the new position.
     */
    public static void head(final long ring, final int head)
    {
        UnsafeApi.putIntRelease(null, ring + HEAD_OFFSET, head);
    }

    /**
     * The context that claimed an unpublished position.
     *
     * @param control control segment that contains the ring.
     * @param ring    address of the ring.
     * @param head    the position.
     * @return token of the claimant, or 0 if the position is not claimed.
     */
    public static int claimant(final long control, final long ring, final int head)
    {
        final long tail = UnsafeApi.getLongVolatile(null, ring + TAIL_OFFSET);
        final int end = head + requireHeld(ring, (int)tail - head);
        for (int position = head; position != end; position++)
        {
            final long word =
                UnsafeApi.getLongVolatile(null, slot(control, ring, position & 0xFFFF_FFFFL) + CONTROL_OFFSET);
            if ((int)word != 0 && (int)(word >>> 32) == position)
            {
                return (int)word & ~PUBLISHED;
            }
        }
        return (int)tail == head ? 0 : (int)(tail >>> 32);
    }

    /**
     * The number of positions that are claimed and not polled.
     *
     * @param ring address of the ring.
     * @param head the consumer's position.
     * @return number from 0 to the number of slots.
     */
    public static int held(final long ring, final int head)
    {
        return requireHeld(ring, tail(ring) - head);
    }

    private static int requireHeld(final long ring, final int held)
    {
        final long slots = SegmentBounds.count(
            UnsafeApi.getInt(ring + MASK_OFFSET) + 1L, 2L * QueueLimits.MAX_CQE, "the number of completions that fit");
        return (int)SegmentBounds.count(held, slots, "the number of completions");
    }

    public static int tail(final long ring)
    {
        return (int)UnsafeApi.getLongVolatile(null, ring + TAIL_OFFSET);
    }

    /**
     * Whether a completion is published and not polled.
     *
     * @param control control segment that contains the ring.
     * @param ring    address of the ring.
     * @param qpNum   number of the queue pair.
     * @param frees   encoded release of the completion, see {@link #FREES_OFFSET}.
     * @return a snapshot; polling frees the request before it removes the completion.
     */
    static boolean contains(
        final long control, final long ring, final int qpNum, final long frees)
    {
        // Read the tail first: other threads may add and poll concurrently.
        final int tail = tail(ring);
        final int head = UnsafeApi.getIntVolatile(null, ring + HEAD_OFFSET);
        if (tail - head <= 0)
        {
            return false;
        }
        requireHeld(ring, tail - head);
        for (int position = head; position != tail; position++)
        {
            final long slot = peek(control, ring, position);
            if (slot != 0 && UnsafeApi.getLong(slot + FREES_OFFSET) == frees &&
                UnsafeApi.getInt(slot + WorkCompletion.QP_NUM_OFFSET) == qpNum)
            {
                return true;
            }
        }
        return false;
    }

    public static int number(final long ring)
    {
        return UnsafeApi.getInt(ring + NUMBER_OFFSET);
    }

    public static boolean isOverrun(final long ring)
    {
        return UnsafeApi.getIntVolatile(null, ring + OVERRUN_OFFSET) != 0;
    }

    /**
     * Records that a completion found no free slot.
     *
     * @param ring address of the ring.
     * @return true for the first caller only.
     */
    public static boolean overrun(final long ring)
    {
        return SharedAtomics.compareAndSetInt(ring + OVERRUN_OFFSET, 0, 1);
    }

    /**
     * Arms the ring for one event.
     *
     * @param ring          address of the ring.
     * @param solicitedOnly true for solicited completions and failures only; a ring already armed for all completions
     *                      stays armed for all.
     */
    public static void arm(final long ring, final boolean solicitedOnly)
    {
        while (true)
        {
            final int word = UnsafeApi.getIntVolatile(null, ring + NOTIFY_OFFSET);
            final int armed = solicitedOnly && (word & ARMED_MASK) != ARMED_ANY ? ARMED_SOLICITED : ARMED_ANY;
            if (SharedAtomics.compareAndSetInt(ring + NOTIFY_OFFSET, word, (word & ~ARMED_MASK) | armed))
            {
                return;
            }
        }
    }

    /**
     * Takes a pending event.
     *
     * @param ring address of the ring.
     * @return true if there was one.
     */
    public static boolean takeEvent(final long ring)
    {
        while (true)
        {
            final int word = UnsafeApi.getIntVolatile(null, ring + NOTIFY_OFFSET);
            if (word >>> 2 == 0)
            {
                return false;
            }
            if (SharedAtomics.compareAndSetInt(ring + NOTIFY_OFFSET, word, word - (ARMED_MASK + 1)))
            {
                return true;
            }
        }
    }

    private static void notifyChannel(final long ring, final long channel, final boolean solicited)
    {
        while (true)
        {
            final int word = UnsafeApi.getIntVolatile(null, ring + NOTIFY_OFFSET);
            final int armed = word & ARMED_MASK;
            if (armed == 0 || (armed == ARMED_SOLICITED && !solicited))
            {
                return;
            }
            // Disarming and counting are one atomic step: if the producer is killed afterwards, only the wake-up is
            // lost, and waiters poll periodically.
            if (SharedAtomics.compareAndSetInt(
                ring + NOTIFY_OFFSET, word, (word & ~ARMED_MASK) + (ARMED_MASK + 1)))
            {
                wake(channel);
                return;
            }
        }
    }

    /**
     * Changes a futex word and wakes the threads that sleep on it.
     *
     * @param word address of the word.
     */
    public static void wake(final long word)
    {
        UnsafeApi.getAndAddInt(null, word, 1);
        WaitCalls.futexWake(word);
    }

    private static void mark(final long control, final long ring, final int position, final int token)
    {
        final long address = slot(control, ring, position & 0xFFFF_FFFFL) + CONTROL_OFFSET;
        final long word = UnsafeApi.getLongVolatile(null, address);
        // If this thread was delayed, the slot may be of a later lap; it is left alone then.
        if ((int)word == 0 || position - (int)(word >>> 32) > 0)
        {
            SharedAtomics.compareAndSetLong(address, word, pack(token, position));
        }
    }

    private static boolean isFull(final long ring, final int position)
    {
        final int capacity = UnsafeApi.getInt(ring + CAPACITY_OFFSET);
        if (position - UnsafeApi.getInt(ring + HEAD_COPY_OFFSET) < capacity)
        {
            return false;
        }
        final int head = UnsafeApi.getIntVolatile(null, ring + HEAD_OFFSET);
        UnsafeApi.putInt(ring + HEAD_COPY_OFFSET, head);
        return position - head >= capacity;
    }

    private static int slots(final int capacity)
    {
        return Integer.highestOneBit(Math.max(2, capacity) * 2 - 1);
    }

    private static long pack(final int low, final int high)
    {
        return (long)high << 32 | (low & 0xFFFF_FFFFL);
    }
}
