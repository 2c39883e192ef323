/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft;

import org.agrona.UnsafeApi;
import org.tutti.rdma.MemoryRegion;
import org.tutti.rdma.ProtectionDomain;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.RegionEntry;
import org.tutti.rdma.soft.segment.RegionMemory;

/** A memory region: an entry in the table in which peers look up keys. */
final class SoftMemoryRegion implements MemoryRegion
{
    private final SoftProtectionDomain protectionDomain;
    private final SoftContext context;
    private final RegionMemory memory;
    private final long address;
    private final long length;
    private final int access;
    private final int key;
    private boolean isClosed;

    /**
     * Registers memory.
     *
     * @param protectionDomain protection domain.
     * @param address          address of the first byte.
     * @param length           length in bytes.
     * @param access           access flags, already checked.
     * @param memory           allocated memory that contains the range, or null for other memory.
     */
    SoftMemoryRegion(
        final SoftProtectionDomain protectionDomain,
        final long address,
        final long length,
        final int access,
        final RegionMemory memory)
    {
        this.protectionDomain = protectionDomain;
        this.context = protectionDomain.context();
        this.memory = memory;
        this.address = address;
        this.length = length;
        this.access = access;
        if (memory != null)
        {
            memory.retain();
        }
        try
        {
            key = context.regions().claim();
        }
        catch (final RuntimeException e)
        {
            releaseMemory();
            throw e;
        }
        final long entry = ControlLayout.region(context.control(), RegionEntry.index(key));
        UnsafeApi.putInt(entry + RegionEntry.ACCESS_OFFSET, access);
        UnsafeApi.putLong(entry + RegionEntry.ADDRESS_OFFSET, address);
        UnsafeApi.putLong(entry + RegionEntry.LENGTH_OFFSET, length);
        UnsafeApi.putInt(entry + RegionEntry.DOMAIN_OFFSET, protectionDomain.number());
        UnsafeApi.putInt(entry + RegionEntry.MEMORY_TOKEN_OFFSET, memory == null ? 0 : memory.token());
        UnsafeApi.putLong(entry + RegionEntry.MEMORY_OFFSET_OFFSET, memory == null ? 0 : address - memory.address());
        UnsafeApi.putInt(entry + RegionEntry.MEMORY_NUMBER_OFFSET, memory == null ? 0 : memory.number());
        UnsafeApi.putIntRelease(null, entry, key);
    }

    @Override
    public ProtectionDomain protectionDomain()
    {
        return protectionDomain;
    }

    @Override
    public long address()
    {
        return address;
    }

    @Override
    public long length()
    {
        return length;
    }

    @Override
    public int lkey()
    {
        return key;
    }

    @Override
    public int rkey()
    {
        return key;
    }

    @Override
    public int access()
    {
        return access;
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        UnsafeApi.putIntVolatile(null, ControlLayout.region(context.control(), RegionEntry.index(key)), 0);
        // A thread that found the key holds a guard or a posting lock while it executes: after this call, there is no
        // such thread.
        context.passQueuePairs(key);
        isClosed = true;
        context.regions().release(key);
        releaseMemory();
        protectionDomain.release();
    }

    private void releaseMemory()
    {
        if (memory != null)
        {
            memory.release();
        }
    }
}
