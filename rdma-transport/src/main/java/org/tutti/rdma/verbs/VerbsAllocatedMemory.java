/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.verbs;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.spi.Children;
import org.tutti.rdma.spi.Parents;

/** Anonymous memory of this process. */
final class VerbsAllocatedMemory implements AllocatedMemory
{
    private final AllocatedMemories memories;
    private final Parents parents;
    private final Children children = new Children("memory", "memory regions");
    private final long address;
    private final long length;

    VerbsAllocatedMemory(final AllocatedMemories memories, final Parents parents, final long address, final long length)
    {
        this.memories = memories;
        this.parents = parents;
        this.address = address;
        this.length = length;
    }

    Children children()
    {
        return children;
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
    public void closeExcept(final long... kept)
    {
        if (children.close("munmap"))
        {
            // Removed before unmapping, because the next mapping may have the same address.
            memories.remove(this);
            MemoryCalls.unmapExcept(address, length, kept);
            parents.release();
        }
    }
}
