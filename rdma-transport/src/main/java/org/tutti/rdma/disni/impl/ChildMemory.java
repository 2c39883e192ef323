/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.spi.Children;

/** Memory that counts as a child of its context, and cannot be closed while a region overlaps it. Thread-safe. */
final class ChildMemory implements AllocatedMemory
{
    private final AllocatedMemory memory;
    private final Children siblings;
    private final RegionCheck regions;
    private boolean isClosed;

    /** Determines whether memory regions cover part of a range. */
    interface RegionCheck
    {
        boolean covers(long address, long length);
    }

    /**
     * Creates a child.
     *
     * @param memory   memory, owned by this.
     * @param siblings open children of the context, which include this one.
     * @param regions  memory regions of the context.
     */
    ChildMemory(final AllocatedMemory memory, final Children siblings, final RegionCheck regions)
    {
        this.memory = memory;
        this.siblings = siblings;
        this.regions = regions;
    }

    @Override
    public long address()
    {
        return memory.address();
    }

    @Override
    public long length()
    {
        return memory.length();
    }

    @Override
    public synchronized void closeExcept(final long... kept)
    {
        if (isClosed)
        {
            return;
        }
        if (regions.covers(memory.address(), memory.length()))
        {
            throw new RdmaException(Errno.EBUSY, "free_memory",
                "memory regions cover part of it; close them first");
        }
        isClosed = true;
        memory.closeExcept(kept);
        siblings.release();
    }
}
