/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.disni.impl;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Memory that counts as a child of its context, and cannot be closed while a region overlaps it. Thread-safe. */
final class ChildMemory implements AllocatedMemory
{
    private final AllocatedMemory memory;
    private final DisniContext context;
    private boolean isClosed;

    ChildMemory(final AllocatedMemory memory, final DisniContext context)
    {
        this.memory = memory;
        this.context = context;
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
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        if (context.covers(memory.address(), memory.length()))
        {
            throw new RdmaException(Errno.EBUSY, "free_memory",
                "memory regions cover part of it; close them first");
        }
        isClosed = true;
        memory.close();
        context.children().release();
    }
}
