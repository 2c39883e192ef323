/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.agrona.UnsafeApi;
import org.tutti.rdma.ReceiveWorkRequest;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendWorkRequest;

import java.lang.foreign.Arena;

/**
 * Copies of the requests of one queue that were posted before the connection was established, with their lists and
 * inline data, because users may reuse the originals immediately. Memory is allocated with the first copy. Guarded by
 * the lock of the queue pair.
 */
final class Backlog
{
    private final int size;
    private final int max;
    private final int listOffset;
    private final int dataOffset;
    private final int slotLength;
    private final long[] positions;
    private long memory;
    private Arena arena;
    private int count;

    /**
     * Creates an empty backlog.
     *
     * @param size      size of a request in bytes.
     * @param max       maximum number of requests.
     * @param maxSge    maximum number of entries of a list.
     * @param maxInline maximum inline data in bytes.
     */
    Backlog(final int size, final int max, final int maxSge, final int maxInline)
    {
        this.size = size;
        this.max = max;
        listOffset = size;
        dataOffset = listOffset + Math.max(1, maxSge) * ScatterGatherEntry.SIZE;
        slotLength = (dataOffset + maxInline + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
        positions = new long[max];
    }

    int count()
    {
        return count;
    }

    /**
     * The address of a copy.
     *
     * @param i index from 0 to {@link #count()} - 1, oldest first.
     * @return the address of the request.
     */
    long request(final int i)
    {
        return memory + (long)i * slotLength;
    }

    long position(final int i)
    {
        return positions[i];
    }

    void clear()
    {
        count = 0;
        // The memory is left to the garbage collector, because a queue pair is connected only a few times.
        arena = null;
    }

    /**
     * Adds a copy, unless the backlog is full. In that case none is needed: the queue accepts more requests than the
     * backlog can hold only after earlier ones have completed, that is, once there is a connection.
     *
     * @param request  request to copy.
     * @param position position in its queue.
     */
    void add(final long request, final long position)
    {
        if (count == max)
        {
            return;
        }
        if (arena == null)
        {
            arena = Arena.ofAuto();
            memory = arena.allocate((long)max * slotLength, Long.BYTES).address();
        }
        final long slot = request(count);
        positions[count] = position;
        count++;
        UnsafeApi.copyMemory(request, slot, size);
        UnsafeApi.putLong(slot + ReceiveWorkRequest.SG_LIST_OFFSET, slot + listOffset);
        final long list = UnsafeApi.getLong(request + ReceiveWorkRequest.SG_LIST_OFFSET);
        final int entries = UnsafeApi.getInt(request + ReceiveWorkRequest.NUM_SGE_OFFSET);
        if (size == SendWorkRequest.SIZE &&
            (UnsafeApi.getInt(request + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.INLINE) != 0)
        {
            addInline(slot, list, entries);
        }
        else
        {
            UnsafeApi.copyMemory(list, slot + listOffset, (long)entries * ScatterGatherEntry.SIZE);
        }
    }

    private void addInline(final long slot, final long list, final int entries)
    {
        int length = 0;
        for (int i = 0; i < entries; i++)
        {
            final long entry = list + (long)i * ScatterGatherEntry.SIZE;
            final int part = UnsafeApi.getInt(entry + ScatterGatherEntry.LENGTH_OFFSET);
            UnsafeApi.copyMemory(
                UnsafeApi.getLong(entry + ScatterGatherEntry.ADDRESS_OFFSET), slot + dataOffset + length, part);
            length += part;
        }
        UnsafeApi.putInt(slot + ReceiveWorkRequest.NUM_SGE_OFFSET, length == 0 ? 0 : 1);
        UnsafeApi.putLong(slot + listOffset + ScatterGatherEntry.ADDRESS_OFFSET, slot + dataOffset);
        UnsafeApi.putInt(slot + listOffset + ScatterGatherEntry.LENGTH_OFFSET, length);
        UnsafeApi.putInt(slot + listOffset + ScatterGatherEntry.LKEY_OFFSET, 0);
    }
}
