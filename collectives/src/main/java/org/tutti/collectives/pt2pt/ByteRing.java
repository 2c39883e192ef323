/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

/**
 * Positions in a ring of messages of any length, in bytes from when the ring was created. A message begins at a
 * multiple of the unit, is contiguous, and does not wrap around: the end of the ring is skipped if it is too short.
 */
final class ByteRing
{
    /** Length of the ring in bytes. */
    static final int LENGTH = 64 << 10;
    static final int UNIT = 64;

    private static final int MASK = LENGTH - 1;

    private ByteRing()
    {
    }

    /** Returns the number of units of a message. */
    static int units(final int length)
    {
        return (length + UNIT - 1) / UNIT;
    }

    /**
     * Returns the position of a message.
     *
     * @param used   position after the previous message.
     * @param length length of the message in bytes, at most {@link #LENGTH}.
     */
    static long place(final long used, final int length)
    {
        final int left = LENGTH - offset(used);
        return length <= left ? used : used + left;
    }

    /** Returns the position after a message. */
    static long after(final long place, final int length)
    {
        return place + (long)units(length) * UNIT;
    }

    /** Returns the offset of a position in the ring in bytes. */
    static int offset(final long place)
    {
        return (int)place & MASK;
    }

    /** Returns whether a message fits, given the position up to which the reader has taken messages. */
    static boolean hasRoom(final long used, final long freed, final int length)
    {
        return after(place(used, length), length) - freed <= LENGTH;
    }

    /**
     * Returns the position of the next message for its reader.
     *
     * @param previous position after the previous message.
     * @param units    offset of the message in the ring in units.
     */
    static long received(final long previous, final int units)
    {
        return previous + ((units * UNIT - offset(previous)) & MASK);
    }
}
