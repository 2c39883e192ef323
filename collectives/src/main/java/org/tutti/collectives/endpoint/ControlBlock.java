/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.endpoint;

import org.agrona.concurrent.UnsafeBuffer;
import org.tutti.collectives.schedule.Collective;

import java.util.Arrays;

/**
 * The part of a rank's registered memory by which peers know it: where its OUTPUT is in this call, which peers write
 * themselves, and what it calls, which peers read when something is wrong. One per rank, in native byte order as the
 * data is: all hosts of a job have the same.
 * <pre>
 *  offset            bytes  field
 *       0                8  entered: the number of the last call that the rank began
 *       8                8  finished: the number of the last call that it ended
 *      16                8  calls: how many it made before it closed; -1 while it is open
 *      64          128 × 16  the last 16 calls, by number modulo 16:
 *                              +0 8 number, +8 4 collective, +12 4 root, +16 8 count, +24 4 algorithm,
 *                              +32 1 + 31 type, +64 1 + 63 op: length and ASCII characters
 *    2112        64 × ranks  where peers' OUTPUTs are: +0 8 address, +8 8 length, +16 4 rkey; and their INPUTs: +24 8
 *                            address, +32 4 rkey; slot p is written by rank p
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
    /** How much of an exposure is sent. */
    static final int EXPOSURE_LENGTH = 40;

    private static final int TYPE_OFFSET = 32;
    private static final int OP_OFFSET = 64;

    private final UnsafeBuffer buffer;
    /** What the places of calls tell of, so that a call which comes again is not written again. */
    private final CallDescription[] written = new CallDescription[CALLS];

    public ControlBlock(final UnsafeBuffer buffer)
    {
        this.buffer = buffer;
    }

    public static int length(final int ranks)
    {
        return EXPOSURES_OFFSET + ranks * EXPOSURE_SIZE;
    }

    public static int exposureOffset(final int rank)
    {
        return EXPOSURES_OFFSET + rank * EXPOSURE_SIZE;
    }

    /** Says that no call was made yet. */
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

    /** This rank has begun a call: peers can read which one. */
    @SuppressWarnings("ReferenceEquality") // To compare what they say would take as long as to write it.
    public void enter(final long sequence, final CallDescription call)
    {
        final int offset = callOffset(sequence);
        buffer.putLong(offset, sequence);
        final int place = (int)(sequence & (CALLS - 1));
        if (written[place] != call)
        {
            written[place] = call;
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

    /** The rank makes no more calls. */
    public void close(final long calls)
    {
        buffer.putLongRelease(CLOSED_OFFSET, calls);
    }

    /** How many calls the rank made before it closed, or -1 while it is open. */
    public long closed()
    {
        return buffer.getLongVolatile(CLOSED_OFFSET);
    }

    /** All but the exposures. */
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
     * What the rank called.
     *
     * @param sequence the call's number.
     * @return the call, or null when it is not among the last ones.
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
            // Not what a rank writes.
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

    public long exposedAddress(final int rank)
    {
        return buffer.getLong(exposureOffset(rank));
    }

    /** How much a rank exposed, in bytes, or {@link org.tutti.collectives.schedule.Schedule#ALL}. */
    public long exposedLength(final int rank)
    {
        return buffer.getLong(exposureOffset(rank) + 8);
    }

    /** Where a rank's INPUT is, in its process. */
    public long exposedInput(final int rank)
    {
        return buffer.getLong(exposureOffset(rank) + 24);
    }

    public int exposedInputRkey(final int rank)
    {
        return buffer.getInt(exposureOffset(rank) + 32);
    }

    public int exposedRkey(final int rank)
    {
        return buffer.getInt(exposureOffset(rank) + 16);
    }

    private void putText(final int offset, final String text, final int room)
    {
        final int length = Math.min(text.length(), room - 1);
        buffer.putByte(offset, (byte)length);
        buffer.putStringWithoutLengthAscii(offset + 1, text, 0, length);
    }

    /** A peer may be writing meanwhile: whatever the length says, there is no more than there is room for. */
    private String text(final int offset, final int room)
    {
        return buffer.getStringWithoutLengthAscii(offset + 1, Math.min(buffer.getByte(offset) & 0xFF, room - 1));
    }

    private static int callOffset(final long sequence)
    {
        return CALLS_OFFSET + (int)(sequence & (CALLS - 1)) * CALL_SIZE;
    }
}
