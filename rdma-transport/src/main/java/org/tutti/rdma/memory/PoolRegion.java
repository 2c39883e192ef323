/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.DeviceMemory;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;

import java.lang.foreign.MemorySegment;

/** One region of a pool: memory, its registration, and who has which part of it. Guarded by the pool's lock. */
final class PoolRegion
{
    private final DeviceMemory memory;
    private final MemoryRegion region;
    private final BestFitAllocator allocator;
    // Beyond it nothing was ever given out, so it is still zero as the provider mapped it.
    private long usedEnd;

    private PoolRegion(final DeviceMemory memory, final MemoryRegion region, final BestFitAllocator allocator)
    {
        this.memory = memory;
        this.region = region;
        this.allocator = allocator;
    }

    static PoolRegion create(final ProtectionDomain domain, final long length)
    {
        final DeviceMemory memory = domain.context().allocateMemory(length);
        try
        {
            final MemoryRegion region = domain.registerMemory(memory.address(), length, AccessFlags.ALL);
            return new PoolRegion(memory, region, new BestFitAllocator(length, RegisteredMemoryPool.ALIGNMENT));
        }
        catch (final RuntimeException ex)
        {
            memory.close();
            throw ex;
        }
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

    long address()
    {
        return memory.address();
    }

    MemoryRegion memoryRegion()
    {
        return region;
    }

    void close()
    {
        region.close();
        memory.close();
    }
}
