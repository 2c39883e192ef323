/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.agrona.collections.LongArrayList;
import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.os.MemoryCalls;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** One region of a pool: memory, its registrations, and the allocator of its blocks. Guarded by the pool's lock. */
final class PoolRegion implements RegisteredRange
{
    private final AllocatedMemory memory;
    private final MemoryRegion[] registrations;
    private final BestFitAllocator allocator;
    // Memory from this offset on was never allocated, so it is still zero, as the provider mapped it.
    private long usedEnd;
    /** Lengths of the blocks that stay mapped when this region is closed, by offset. */
    private final NavigableMap<Long, Long> retained = new TreeMap<>();
    private boolean isClosed;

    private PoolRegion(
        final AllocatedMemory memory, final MemoryRegion[] registrations, final BestFitAllocator allocator)
    {
        this.memory = memory;
        this.registrations = registrations;
        this.allocator = allocator;
    }

    /** Maps memory by the first domain's provider and registers it with all domains. */
    static PoolRegion create(final List<ProtectionDomain> domains, final long length)
    {
        final AllocatedMemory memory = domains.getFirst().context().allocateMemory(length);
        final MemoryRegion[] registrations = new MemoryRegion[domains.size()];
        try
        {
            for (int i = 0; i < registrations.length; i++)
            {
                registrations[i] = domains.get(i).registerMemory(memory.address(), length, AccessFlags.ALL);
            }
            return new PoolRegion(
                memory, registrations, new BestFitAllocator(length, RegisteredMemoryPool.ALIGNMENT));
        }
        catch (final RuntimeException ex)
        {
            close(memory::close, registrations, ex);
            throw ex;
        }
    }

    /**
     * Closes the registrations and the memory, even if closing one of them fails. Returns {@code problem}, or the first
     * failure if that is null, with later failures suppressed in it.
     */
    private static RuntimeException close(
        final Runnable memory, final MemoryRegion[] registrations, final RuntimeException problem)
    {
        RuntimeException first = problem;
        for (int i = 0; i <= registrations.length; i++)
        {
            try
            {
                if (i == registrations.length)
                {
                    memory.run();
                }
                else if (registrations[i] != null)
                {
                    registrations[i].close();
                }
            }
            catch (final RuntimeException ex)
            {
                if (first == null)
                {
                    first = ex;
                }
                else
                {
                    first.addSuppressed(ex);
                }
            }
        }
        return first;
    }

    long allocate(final long length, final long alignment)
    {
        final long offset = allocator.allocate(length, alignment);
        if (offset == BestFitAllocator.NO_SPACE)
        {
            return offset;
        }

        final long end = offset + length;
        final long zeroEnd = Math.min(end, usedEnd);
        if (offset < zeroEnd)
        {
            MemorySegment.ofAddress(memory.address() + offset).reinterpret(zeroEnd - offset).fill((byte)0);
        }
        usedEnd = Math.max(usedEnd, end);

        return offset;
    }

    long free(final long offset)
    {
        return allocator.free(offset);
    }

    long allocated()
    {
        return allocator.allocated();
    }

    long length()
    {
        return allocator.capacity();
    }

    @Override
    public long address()
    {
        return memory.address();
    }

    @Override
    public int lkey(final int domain)
    {
        return registrations[domain].lkey();
    }

    @Override
    public int rkey(final int domain)
    {
        return registrations[domain].rkey();
    }

    /** Keeps a block mapped when the region is closed, until it is released. */
    void retain(final long offset, final long length)
    {
        retained.put(offset, length);
    }

    /** Ends {@link #retain}. If the region is closed, unmaps the pages of the block that no retained block shares. */
    void release(final long offset)
    {
        final long blockEnd = offset + retained.remove(offset);
        if (isClosed)
        {
            final Map.Entry<Long, Long> below = retained.lowerEntry(offset);
            final Long above = retained.higherKey(offset);
            final long belowEnd = below == null ? 0 : pageEnd(below.getKey() + below.getValue());
            final long start = Math.max(pageStart(offset), belowEnd);
            final long end = Math.min(pageEnd(blockEnd), above == null ? length() : pageStart(above));
            if (start < end)
            {
                MemoryCalls.unmap(address() + start, end - start);
            }
        }
    }

    /** Closes the registrations, and unmaps the memory but for the pages of retained blocks. */
    void close()
    {
        final long[] kept = retainedPages();
        final RuntimeException problem = close(
            () ->
            {
                memory.closeExcept(kept);
                isClosed = true;
            },
            registrations, null);
        if (problem != null)
        {
            throw problem;
        }
    }

    /** Returns offset and length of each contiguous range of pages with retained blocks. */
    private long[] retainedPages()
    {
        final LongArrayList ranges = new LongArrayList();
        long start = 0;
        long end = 0;
        for (final Map.Entry<Long, Long> block : retained.entrySet())
        {
            if (pageStart(block.getKey()) > end)
            {
                add(ranges, start, end);
                start = pageStart(block.getKey());
            }
            end = pageEnd(block.getKey() + block.getValue());
        }
        add(ranges, start, end);
        return ranges.toLongArray();
    }

    private static void add(final LongArrayList ranges, final long start, final long end)
    {
        if (start < end)
        {
            ranges.addLong(start);
            ranges.addLong(end - start);
        }
    }

    private static long pageStart(final long offset)
    {
        return offset & -RegisteredMemoryPool.PAGE_SIZE;
    }

    private static long pageEnd(final long offset)
    {
        return pageStart(offset + RegisteredMemoryPool.PAGE_SIZE - 1);
    }
}
