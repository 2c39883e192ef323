/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.util.Map;
import java.util.TreeMap;

/**
 * A first-fit allocator of whole pages in a control segment that coalesces freed ranges. Pages are reserved on
 * allocation and returned to the system when freed. Thread-safe.
 */
public final class Heap
{
    public static final long PAGE = 4096;

    private final ControlMemory memory;
    private final TreeMap<Long, Long> free = new TreeMap<>();

    /**
     * Manages all pages of a segment after its tables.
     *
     * @param memory memory of the segment.
     */
    public Heap(final ControlMemory memory)
    {
        this.memory = memory;
        free.put(ControlLayout.HEAP_OFFSET, memory.length() - ControlLayout.HEAP_OFFSET);
    }

    /**
     * The segment that contains the pages.
     *
     * @return address of the segment.
     */
    public long control()
    {
        return memory.address();
    }

    /**
     * Allocates pages.
     *
     * @param bytes number of bytes.
     * @param verb  verb named in errors.
     * @return page-aligned offset in the segment.
     */
    public synchronized long allocate(final long bytes, final String verb)
    {
        final long length = pages(bytes);
        final long offset = firstFit(length);
        if (offset < 0)
        {
            throw new RdmaException(Errno.ENOMEM, verb, bytes + " bytes of queues requested, but a context holds " +
                (memory.length() - ControlLayout.HEAP_OFFSET) + " in total; create fewer or smaller queues");
        }
        memory.reserve(offset, length, verb);
        final long rest = free.remove(offset) - length;
        if (rest > 0)
        {
            free.put(offset + length, rest);
        }
        return offset;
    }

    private long firstFit(final long length)
    {
        for (final Map.Entry<Long, Long> entry : free.entrySet())
        {
            if (entry.getValue() >= length)
            {
                return entry.getKey();
            }
        }
        return -1;
    }

    /**
     * Frees pages.
     *
     * @param offset offset from {@link #allocate}, or of a later page of that range.
     * @param bytes  number of bytes.
     */
    public synchronized void free(final long offset, final long bytes)
    {
        long start = offset;
        long length = pages(bytes);
        memory.release(start, length);
        final Map.Entry<Long, Long> before = free.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start)
        {
            start = before.getKey();
            length += before.getValue();
        }
        final Long after = free.remove(offset + pages(bytes));
        free.put(start, after == null ? length : length + after);
    }

    private static long pages(final long bytes)
    {
        return (bytes + PAGE - 1) / PAGE * PAGE;
    }
}
