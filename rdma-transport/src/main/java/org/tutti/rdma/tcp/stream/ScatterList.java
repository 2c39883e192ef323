/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.soft.queue.SgeList;

/**
 * A position in a scatter or gather list in native memory. Used by one thread at a time; allocates nothing.
 */
final class ScatterList
{
    /** The list holds the message. */
    static final int FITS = 0;
    /** The list is shorter than the message. */
    static final int TOO_LONG = 1;
    /** An entry that the message reaches is not covered by a region with the required access. */
    static final int FORBIDDEN = 2;

    private final long own = UnsafeApi.allocateMemory(ScatterGatherEntry.SIZE);
    private long list;
    private int count;
    private int index;
    private long done;

    /**
     * Checks the entries that a message reaches.
     *
     * @param control control segment with the regions.
     * @param domain  protection domain of the list.
     * @param list    address of the list.
     * @param count   number of entries.
     * @param length  length of the message, or of its part so far, in bytes.
     * @return {@link #FITS}, {@link #TOO_LONG} or {@link #FORBIDDEN}.
     */
    static int check(
        final long control, final int domain, final long list, final int count, final long length)
    {
        boolean isCovered = true;
        long held = 0;
        for (int i = 0; i < count && held < length; i++)
        {
            final long sge = SgeList.entry(list, i);
            final long bytes = SgeList.length(sge);
            isCovered &= bytes == 0 || SgeList.isCovered(control, domain, sge, AccessFlags.LOCAL_WRITE, bytes);
            held += bytes;
        }
        return held < length ? TOO_LONG : isCovered ? FITS : FORBIDDEN;
    }

    /** Moves to the start of a list. */
    void set(final long address, final int entries)
    {
        list = address;
        count = entries;
        index = 0;
        done = 0;
    }

    /** Moves to a position in a list. */
    void set(final long address, final int entries, final long offset)
    {
        set(address, entries);
        advance(offset);
    }

    /** Moves to a range of the region with a key; the key of an empty range is not used. */
    void setRange(final long address, final long length, final int key)
    {
        // Lengths from 2^31 on are unsigned, as in any entry.
        UnsafeApi.putLong(own + ScatterGatherEntry.ADDRESS_OFFSET, address);
        UnsafeApi.putInt(own + ScatterGatherEntry.LENGTH_OFFSET, (int)length);
        UnsafeApi.putInt(own + ScatterGatherEntry.LKEY_OFFSET, key);
        set(own, 1);
    }

    /** Whether an entry that is not done yet is in the region with a key. */
    boolean isIn(final int key)
    {
        for (int i = index; i < count; i++)
        {
            final long sge = SgeList.entry(list, i);
            if (SgeList.key(sge) == key && SgeList.length(sge) > 0)
            {
                return true;
            }
        }
        return false;
    }

    /** The address of the next byte. */
    long address()
    {
        return SgeList.address(SgeList.entry(list, index)) + done;
    }

    /** The number of bytes from the next one on that are contiguous; 0 at the end. */
    long contiguous()
    {
        while (index < count && done == SgeList.length(SgeList.entry(list, index)))
        {
            index++;
            done = 0;
        }
        return index == count ? 0 : SgeList.length(SgeList.entry(list, index)) - done;
    }

    /** Skips bytes, within the list. */
    void advance(final long length)
    {
        long left = length;
        while (left > 0)
        {
            final long step = Math.min(left, contiguous());
            if (step == 0)
            {
                throw new IllegalStateException("the list ends " + left + " bytes too early");
            }
            done += step;
            left -= step;
        }
    }

    /** Copies bytes to the next places. */
    void put(final long source, final int length)
    {
        int put = 0;
        while (put < length)
        {
            final int step = (int)Math.min(length - put, contiguous());
            if (step == 0)
            {
                throw new IllegalStateException("the list ends " + (length - put) + " bytes too early");
            }
            UnsafeApi.copyMemory(source + put, address(), step);
            done += step;
            put += step;
        }
    }

    /** Writes 8 bytes, the least significant first, to the next places. */
    void putLong(final long value)
    {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE)
        {
            contiguous();
            UnsafeApi.putByte(address(), (byte)(value >>> shift));
            advance(1);
        }
    }

    void free()
    {
        UnsafeApi.freeMemory(own);
    }
}
