/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.agrona.UnsafeApi;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.MemoryLimits;
import org.tutti.rdma.soft.segment.ControlLayout;
import org.tutti.rdma.soft.segment.ControlMemory;

import java.util.concurrent.atomic.AtomicInteger;

/** A control segment in memory of this process. Pages get memory when they are first written. */
final class ProcessMemory implements ControlMemory
{
    private static final long CHECK_MEMORY_FROM = 64L << 20;
    private static final AtomicInteger INDICES = new AtomicInteger();

    private final long address;

    /** Maps a segment with the token of a new context. */
    ProcessMemory()
    {
        final long mapped = MemoryCalls.map(ControlLayout.LENGTH);
        if (mapped < 0)
        {
            throw new RdmaException((int)-mapped, "ibv_open_device",
                "cannot map " + ControlLayout.LENGTH + " bytes of addresses; raise ulimit -v");
        }
        address = mapped;
        final int index = Math.floorMod(INDICES.getAndIncrement(), ControlLayout.MAX_CONTEXTS);
        UnsafeApi.putInt(address + ControlLayout.TOKEN_OFFSET, ControlLayout.token(index, 1));
    }

    @Override
    public long address()
    {
        return address;
    }

    @Override
    public long length()
    {
        return ControlLayout.LENGTH;
    }

    @Override
    public void reserve(final long offset, final long bytes, final String verb)
    {
        if (bytes >= CHECK_MEMORY_FROM)
        {
            MemoryLimits.ACTUAL.check(bytes, verb);
        }
    }

    @Override
    public void release(final long offset, final long bytes)
    {
        // The pages are reused by the next allocation, which initializes them.
    }

    @Override
    public void close()
    {
        MemoryCalls.unmap(address, ControlLayout.LENGTH);
    }
}
