/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.SendFlags;
import org.tutti.rdma.SendWorkRequest;

/**
 * Copies of the send requests that could not be executed when posted, in order, with their gather lists and inline
 * data. Guarded by the queue pair's posting lock. Memory is allocated with the first copy.
 */
public final class DeferredSends
{
    private final int capacity;
    private final int maxInlineData;
    private final long slotSize;
    private long memory;
    private long first;
    private long next;

    /**
     * Creates an empty list for a send queue.
     *
     * @param capacity      maximum number of requests.
     * @param maxSge        maximum number of entries of a gather list.
     * @param maxInlineData maximum inline data in bytes.
     */
    public DeferredSends(final int capacity, final int maxSge, final int maxInlineData)
    {
        this.capacity = capacity;
        this.maxInlineData = maxInlineData;
        final long size = Long.BYTES + SendWorkRequest.SIZE + (long)Math.max(1, maxSge) * ScatterGatherEntry.SIZE;
        slotSize = (size + maxInlineData + 7) & ~7L;
    }

    /**
     * Whether there is no request.
     *
     * @return true if empty.
     */
    public boolean isEmpty()
    {
        return first == next;
    }

    /**
     * Adds a copy of a request; a slot is always free, because the capacity is that of the send queue.
     *
     * @param wr       address of the request.
     * @param position position of the request in the send queue.
     */
    public void add(final long wr, final long position)
    {
        if (memory == 0)
        {
            memory = UnsafeApi.allocateMemory(slotSize * capacity);
        }
        final long slot = slot(next++);
        UnsafeApi.putLong(slot, position);
        final long copy = slot + Long.BYTES;
        final long list = copy + SendWorkRequest.SIZE;
        UnsafeApi.copyMemory(wr, copy, SendWorkRequest.SIZE);
        final int count = UnsafeApi.getInt(wr + SendWorkRequest.NUM_SGE_OFFSET);
        final long source = UnsafeApi.getLong(wr + SendWorkRequest.SG_LIST_OFFSET);
        UnsafeApi.putLong(copy + SendWorkRequest.SG_LIST_OFFSET, list);
        if ((UnsafeApi.getInt(wr + SendWorkRequest.SEND_FLAGS_OFFSET) & SendFlags.INLINE) == 0)
        {
            UnsafeApi.copyMemory(source, list, (long)count * ScatterGatherEntry.SIZE);
            return;
        }
        long data = slot + slotSize - ((maxInlineData + 7) & ~7);
        UnsafeApi.putInt(copy + SendWorkRequest.NUM_SGE_OFFSET, Math.min(1, count));
        UnsafeApi.putLong(list + ScatterGatherEntry.ADDRESS_OFFSET, data);
        final long start = data;
        for (int i = 0; i < count; i++)
        {
            final long sge = source + (long)i * ScatterGatherEntry.SIZE;
            final int bytes = UnsafeApi.getInt(sge + ScatterGatherEntry.LENGTH_OFFSET);
            UnsafeApi.copyMemory(UnsafeApi.getLong(sge + ScatterGatherEntry.ADDRESS_OFFSET), data, bytes);
            data += bytes;
        }
        UnsafeApi.putInt(list + ScatterGatherEntry.LENGTH_OFFSET, (int)(data - start));
    }

    /**
     * The oldest request.
     *
     * @return address of the request, which contains the address of the gather list.
     */
    public long firstRequest()
    {
        return slot(first) + Long.BYTES;
    }

    /**
     * The position of the oldest request.
     *
     * @return its position in the send queue.
     */
    public long firstPosition()
    {
        return UnsafeApi.getLong(slot(first));
    }

    /** Removes the oldest request. */
    public void removeFirst()
    {
        first++;
    }

    /** Removes all requests. */
    public void clear()
    {
        first = next;
    }

    /** Removes all requests and frees the memory. */
    public void free()
    {
        clear();
        if (memory != 0)
        {
            UnsafeApi.freeMemory(memory);
            memory = 0;
        }
    }

    /**
     * The ordinal of the oldest request: requests are numbered in the order of {@link #add}.
     *
     * @return ordinal, or {@link #end} if there is no request.
     */
    public long first()
    {
        return first;
    }

    /**
     * The ordinal of the next request to be added.
     *
     * @return ordinal.
     */
    public long end()
    {
        return next;
    }

    /**
     * A request.
     *
     * @param ordinal ordinal of a request that was not removed.
     * @return address of the request, which contains the address of the gather list.
     */
    public long request(final long ordinal)
    {
        return slot(ordinal) + Long.BYTES;
    }

    private long slot(final long position)
    {
        return memory + position % capacity * slotSize;
    }
}
