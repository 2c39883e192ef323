/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp.stream;

import org.agrona.UnsafeApi;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.soft.segment.QueuePairEntry;
import org.tutti.rdma.soft.segment.RegionEntry;
import org.tutti.rdma.tcp.wire.AtomicRequest;
import org.tutti.rdma.tcp.wire.Fpdu;

import java.util.Arrays;

/**
 * The responses that a responder still has to send, in order. Used by one thread at a time; allocates only when more
 * responses than ever before are due.
 */
final class Responses
{
    private static final int ATOMIC = -1;
    private static final int MAX_CAPACITY = 1 << 16;

    private final long control;
    private final long entry;
    private final int maxPayload;
    /** For each response: STag, target offset, source address, length left or {@link #ATOMIC}, source key. */
    private int[] stags = new int[16];
    private long[] offsets = new long[16];
    private long[] sources = new long[16];
    private long[] lengths = new long[16];
    private int[] keys = new int[16];
    private boolean[] isData = new boolean[16];
    private int first;
    private int count;
    private int urgent;
    private int atomicMsn;

    Responses(final long control, final long entry, final int maxPayload)
    {
        this.control = control;
        this.entry = entry;
        this.maxPayload = maxPayload;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    /** Whether one carries data; the others only confirm, and can wait for other frames. */
    boolean isUrgent()
    {
        return urgent > 0;
    }

    void reset()
    {
        first = 0;
        count = 0;
        urgent = 0;
        atomicMsn = 0;
    }

    /** Adds the response to a read; false if there are too many. */
    boolean addRead(final int stag, final long offset, final int key, final long source, final long length)
    {
        return add(stag, offset, key, source, length);
    }

    /** Adds the response to an atomic; false if there are too many. */
    boolean addAtomic(final int id, final long before)
    {
        return add(id, 0, 0, before, ATOMIC);
    }

    private boolean add(final int stag, final long offset, final int key, final long source, final long length)
    {
        if (count == stags.length && !grow())
        {
            return false;
        }
        final int index = (first + count) & (stags.length - 1);
        stags[index] = stag;
        offsets[index] = offset;
        keys[index] = key;
        sources[index] = source;
        lengths[index] = length;
        isData[index] = length != 0;
        urgent += length != 0 ? 1 : 0;
        count++;
        return true;
    }

    private boolean grow()
    {
        final int capacity = stags.length;
        if (capacity == MAX_CAPACITY)
        {
            return false;
        }
        stags = doubled(stags);
        keys = doubled(keys);
        final boolean[] before = isData;
        isData = Arrays.copyOf(before, capacity * 2);
        System.arraycopy(before, 0, isData, capacity, first);
        offsets = doubled(offsets);
        sources = doubled(sources);
        lengths = doubled(lengths);
        return true;
    }

    /** A copy of twice the length in which the full ring from {@link #first} on is contiguous. */
    private int[] doubled(final int[] ring)
    {
        final int[] next = Arrays.copyOf(ring, ring.length * 2);
        System.arraycopy(ring, 0, next, ring.length, first);
        return next;
    }

    private long[] doubled(final long[] ring)
    {
        final long[] next = Arrays.copyOf(ring, ring.length * 2);
        System.arraycopy(ring, 0, next, ring.length, first);
        return next;
    }

    /**
     * Adds the next frame of the first response to a batch.
     *
     * @param writer writer that has room.
     * @return false if the source of a read may not be read any more.
     */
    boolean fill(final FrameWriter writer)
    {
        if (lengths[first] == ATOMIC)
        {
            final long frame = writer.begin(Fpdu.UNTAGGED_HEADER);
            Fpdu.putUntagged(frame, Fpdu.ATOMIC_RESPONSE, true, Fpdu.ATOMIC_RESPONSE_QUEUE, ++atomicMsn, 0,
                AtomicRequest.RESPONSE_SIZE);
            final long payload = writer.room(AtomicRequest.RESPONSE_SIZE);
            Fpdu.putInt(payload, stags[first]);
            Fpdu.putLong(payload + Integer.BYTES, sources[first]);
            writer.end();
            remove();
            return true;
        }
        final long left = lengths[first];
        if (left > 0 && !isReadable(left))
        {
            return false;
        }
        final int length = (int)Math.min(left, maxPayload);
        final long frame = writer.begin(Fpdu.TAGGED_HEADER);
        Fpdu.putTagged(frame, Fpdu.READ_RESPONSE, length == left, stags[first], offsets[first], length);
        if (length > 0)
        {
            writer.add(sources[first], length, length <= FrameWriter.COPY_LIMIT);
        }
        writer.end();
        offsets[first] += length;
        sources[first] += length;
        lengths[first] -= length;
        if (length == left)
        {
            remove();
        }
        return true;
    }

    private boolean isReadable(final long left)
    {
        final long region = RegionEntry.find(control, keys[first]);
        return region != 0 && RegionEntry.allows(region, UnsafeApi.getInt(entry + QueuePairEntry.DOMAIN_OFFSET),
            AccessFlags.REMOTE_READ, sources[first], left);
    }

    private void remove()
    {
        urgent -= isData[first] ? 1 : 0;
        first = (first + 1) & (stags.length - 1);
        count--;
    }
}
