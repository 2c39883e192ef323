/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.shm.peer.SharedMemory;

/** Memory that counts as a child of its context. */
final class ShmAllocatedMemory implements AllocatedMemory
{
    private final ShmContext context;
    private final SharedMemory memory;

    ShmAllocatedMemory(final ShmContext context, final SharedMemory memory)
    {
        this.context = context;
        this.memory = memory;
    }

    SharedMemory memory()
    {
        return memory;
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
    public void closeExcept(final long... kept)
    {
        if (memory.close(kept))
        {
            context.release();
        }
    }
}
