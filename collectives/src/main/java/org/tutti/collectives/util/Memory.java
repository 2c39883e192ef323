/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.util;

import org.agrona.UnsafeApi;

import java.lang.foreign.MemorySegment;

/** Copies native memory by address. */
public final class Memory
{
    /** All memory of this process, so that access by address needs no object. */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** A thread that owns no memory. */
    private static final Thread OTHER_THREAD = Thread.ofPlatform().unstarted(() -> { });
    /** Maximum length of one copy in bytes: a thread cannot reach a safepoint during a copy. */
    private static final long CHUNK = 4L << 20;

    private Memory()
    {
    }

    /** Returns whether only one thread may access memory. */
    public static boolean isConfined(final MemorySegment segment)
    {
        return !segment.isAccessibleBy(OTHER_THREAD);
    }

    /**
     * Copies memory of any length; source and destination must not overlap.
     *
     * @param source      address to read.
     * @param destination address to write.
     * @param length      length in bytes.
     */
    public static void copy(final long source, final long destination, final long length)
    {
        for (long done = 0; done < length; done += CHUNK)
        {
            UnsafeApi.copyMemory(source + done, destination + done, Math.min(CHUNK, length - done));
        }
    }

    /**
     * Copies memory of any length between segments that do not overlap.
     *
     * @param source            segment to read.
     * @param sourceOffset      offset of the first byte to read.
     * @param destination       segment to write.
     * @param destinationOffset offset of the first byte to write.
     * @param length            length in bytes.
     */
    public static void copy(
        final MemorySegment source, final long sourceOffset, final MemorySegment destination,
        final long destinationOffset, final long length)
    {
        for (long done = 0; done < length; done += CHUNK)
        {
            MemorySegment.copy(
                source, sourceOffset + done, destination, destinationOffset + done, Math.min(CHUNK, length - done));
        }
    }

    /** Copies a few bytes, for which a call of the copy routine costs more than the copy. */
    public static void copyShort(final long source, final long destination, final int length)
    {
        int done = 0;
        for (; done <= length - Long.BYTES; done += Long.BYTES)
        {
            UnsafeApi.putLong(destination + done, UnsafeApi.getLong(source + done));
        }
        if ((length & Integer.BYTES) != 0)
        {
            UnsafeApi.putInt(destination + done, UnsafeApi.getInt(source + done));
            done += Integer.BYTES;
        }
        for (; done < length; done++)
        {
            UnsafeApi.putByte(destination + done, UnsafeApi.getByte(source + done));
        }
    }
}
