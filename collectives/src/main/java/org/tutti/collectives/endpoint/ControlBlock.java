/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.schedule.Collective;

import java.util.Arrays;

/**
 * The control area in a rank's registered memory: the addresses of peers' OUTPUTs and INPUTs in recent calls
 * (<i>exposures</i>), written by the peers, and the rank's recent calls, which peers read for diagnosis. One per rank.
 * In native byte order, like the data: all hosts of a job have the same byte order. Each peer has <i>s</i> slots for
 * its exposures, and uses slot <i>r</i> modulo <i>s</i> in round <i>r</i>.
 * <pre>
 *  offset            bytes  field
 *       0                8  entered: number of the last call that the rank began
 *       8                8  finished: number up to which all calls are complete
 *      16                8  calls: number of calls that the rank made before it closed; -1 while it is open
 *      64          128 × 16  the last 16 calls, by number modulo 16:
 *                              +0 8 number, +8 4 collective, +12 4 root, +16 8 count, +24 4 algorithm,
 *                              +32 1 + 31 type, +64 1 + 63 op: length and ASCII characters
 *    2112   64 × s × ranks  exposures, s for each peer, which writes them; number of an exposure: round modulo s.
 *                              OUTPUT: +0 8 address, +8 8 length, +16 4 rkey; INPUT: +24 8 address, +32 4 rkey
 * </pre>
 */
public final class ControlBlock
{
    static final int ENTERED_OFFSET = 0;
    static final int FINISHED_OFFSET = 8;
    static final int CLOSED_OFFSET = 16;
    static final int CALLS_OFFSET = 64;
    static final int CALL_SIZE = 128;
    public static final int CALLS = 16;
    public static final int EXPOSURES_OFFSET = CALLS_OFFSET + CALLS * CALL_SIZE;
    static final int EXPOSURE_SIZE = 64;
    /** The number of bytes of an exposure that are sent. */
    static final int EXPOSURE_LENGTH = 40;

    private static final int TYPE_OFFSET = 32;
    private static final int OP_OFFSET = 64;

    private final UnsafeBuffer buffer;
    private final int slots;
    /** The call in each slot, so that a repeated call is not written again. */
    private final CallDescription[] written = new CallDescription[CALLS];

    /**
     * Creates a control block.
     *
     * @param slots number of exposures of each peer, a power of two.
     */
    public ControlBlock(final UnsafeBuffer buffer, final int slots)
    {
        this.buffer = buffer;
        this.slots = slots;
    }

    /** Creates a control block without exposures, for a copy of another rank's calls. */
    public ControlBlock(final UnsafeBuffer buffer)
    {
        this(buffer, 0);
    }

    public static int length(final int ranks, final int slots)
    {
        return exposureOffset(ranks, slots);
    }

    /** Returns the offset of the first exposure of a rank. */
    public static int exposureOffset(final int rank, final int slots)
    {
        return EXPOSURES_OFFSET + rank * slots * EXPOSURE_SIZE;
    }

    private int exposure(final int rank, final int slot)
    {
        return exposureOffset(rank, slots) + slot * EXPOSURE_SIZE;
    }

    /** Resets the block: no call has been made. */
    public void clear()
    {
        Arrays.fill(written, null);
        buffer.setMemory(0, buffer.capacity(), (byte)0);
        for (int i = 0; i < CALLS; i++)
        {
            buffer.putLong(CALLS_OFFSET + i * CALL_SIZE, -1);
        }
        buffer.putLong(FINISHED_OFFSET, -1);
        buffer.putLong(CLOSED_OFFSET, -1);
        buffer.putLongRelease(ENTERED_OFFSET, -1);
    }

    /** Publishes that this rank has begun a call. */
    @SuppressWarnings("ReferenceEquality") // Comparing by value would take as long as writing.
    public void enter(final long sequence, final CallDescription call)
    {
        final int offset = callOffset(sequence);
        buffer.putLong(offset, sequence);
        final int slot = (int)(sequence & (CALLS - 1));
        if (written[slot] != call)
        {
            written[slot] = call;
            write(offset, call);
        }
        buffer.putLongRelease(ENTERED_OFFSET, sequence);
    }

    private void write(final int offset, final CallDescription call)
    {
        buffer.putInt(offset + 8, call.collective() == null ? -1 : call.collective().ordinal());
        buffer.putInt(offset + 12, call.root());
        buffer.putLong(offset + 16, call.count());
        buffer.putInt(offset + 24, call.algorithm());
        putText(offset + TYPE_OFFSET, call.type(), OP_OFFSET - TYPE_OFFSET);
        putText(offset + OP_OFFSET, call.op(), CALL_SIZE - OP_OFFSET);
    }

    public void finish(final long sequence)
    {
        buffer.putLongRelease(FINISHED_OFFSET, sequence);
    }

    /** Publishes that the rank makes no more calls. */
    public void close(final long calls)
    {
        buffer.putLongRelease(CLOSED_OFFSET, calls);
    }

    /** Returns the number of calls that the rank made before it closed, or -1 while it is open. */
    public long closed()
    {
        return buffer.getLongVolatile(CLOSED_OFFSET);
    }

    /** Copies all but the exposures. */
    public byte[] copy()
    {
        final byte[] bytes = new byte[EXPOSURES_OFFSET];
        buffer.getBytes(0, bytes);
        return bytes;
    }

    public long entered()
    {
        return buffer.getLongVolatile(ENTERED_OFFSET);
    }

    public long finished()
    {
        return buffer.getLongVolatile(FINISHED_OFFSET);
    }

    /**
     * Returns a call of the rank.
     *
     * @param sequence number of the call.
     * @return call, or null if it is not among the last 16.
     */
    public CallDescription call(final long sequence)
    {
        final int offset = callOffset(sequence);
        if (sequence < 0 || buffer.getLong(offset) != sequence || sequence > entered())
        {
            return null;
        }
        final int collective = buffer.getInt(offset + 8);
        final int root = buffer.getInt(offset + 12);
        if (collective >= Collective.values().length || (collective < 0 && !Creation.isOrdinal(root)))
        {
            // No valid call has these values.
            return null;
        }
        return new CallDescription(
            collective < 0 ? null : Collective.values()[collective],
            text(offset + TYPE_OFFSET, OP_OFFSET - TYPE_OFFSET),
            text(offset + OP_OFFSET, CALL_SIZE - OP_OFFSET),
            buffer.getLong(offset + 16),
            root,
            buffer.getInt(offset + 24));
    }

    public long exposedAddress(final int rank, final int slot)
    {
        return buffer.getLong(exposure(rank, slot));
    }

    /** Returns the length that a rank exposed, in bytes, or {@link org.tutti.collectives.schedule.Schedule#ALL}. */
    public long exposedLength(final int rank, final int slot)
    {
        return buffer.getLong(exposure(rank, slot) + 8);
    }

    /** Returns the address of a rank's INPUT in that rank's address space. */
    public long exposedInput(final int rank, final int slot)
    {
        return buffer.getLong(exposure(rank, slot) + 24);
    }

    public int exposedInputRkey(final int rank, final int slot)
    {
        return buffer.getInt(exposure(rank, slot) + 32);
    }

    public int exposedRkey(final int rank, final int slot)
    {
        return buffer.getInt(exposure(rank, slot) + 16);
    }

    private void putText(final int offset, final String text, final int capacity)
    {
        final int length = Math.min(text.length(), capacity - 1);
        buffer.putByte(offset, (byte)length);
        buffer.putStringWithoutLengthAscii(offset + 1, text, 0, length);
    }

    /** Reads a text; limits its length to the capacity, as a peer may be writing concurrently. */
    private String text(final int offset, final int capacity)
    {
        return buffer.getStringWithoutLengthAscii(offset + 1, Math.min(buffer.getByte(offset) & 0xFF, capacity - 1));
    }

    private static int callOffset(final long sequence)
    {
        return CALLS_OFFSET + (int)(sequence & (CALLS - 1)) * CALL_SIZE;
    }
}
