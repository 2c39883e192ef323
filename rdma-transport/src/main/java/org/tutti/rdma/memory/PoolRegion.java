/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.tutti.rdma.AccessFlags;
import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** One region of a pool: memory, its registrations, and the allocator of its blocks. Guarded by the pool's lock. */
final class PoolRegion implements RegisteredRange
{
    private final AllocatedMemory memory;
    private final MemoryRegion[] registrations;
    private final BestFitAllocator allocator;
    // Memory from this offset on was never allocated, so it is still zero, as the provider mapped it.
    private long usedEnd;

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
            close(memory, registrations, ex);
            throw ex;
        }
    }

    /**
     * Closes the registrations and the memory, even if closing one of them fails. Returns {@code problem}, or the first
     * failure if that is null, with later failures suppressed in it.
     */
    private static RuntimeException close(
        final AllocatedMemory memory, final MemoryRegion[] registrations, final RuntimeException problem)
    {
        RuntimeException first = problem;
        for (int i = 0; i <= registrations.length; i++)
        {
            try
            {
                if (i == registrations.length)
                {
                    memory.close();
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

    void close()
    {
        final RuntimeException problem = close(memory, registrations, null);
        if (problem != null)
        {
            throw problem;
        }
    }
}
