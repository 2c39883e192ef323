/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

import java.nio.file.Path;

/** Memory in a file of its own, which peers map too. */
final class ShmAllocatedMemory implements AllocatedMemory
{
    private static final long PAGE = 4096;

    private final ShmContext context;
    private final Path path;
    private final SharedFile file;
    private final int number;
    private int regions;
    private boolean isClosed;

    ShmAllocatedMemory(final ShmContext context, final long length, final int number)
    {
        this.context = context;
        this.number = number;
        if (length <= 0 || length > Long.MAX_VALUE - PAGE)
        {
            throw new RdmaException(Errno.EINVAL, "allocate_memory", length + " bytes: must be more than 0");
        }
        path = context.fabric().memoryPath(context.token(), number);
        final long pages = (length + PAGE - 1) / PAGE * PAGE;
        file = SharedFile.create(path, pages, pages, "allocate_memory");
        context.fabric().add(this, path);
    }

    int token()
    {
        return context.token();
    }

    int number()
    {
        return number;
    }

    @Override
    public long address()
    {
        return file.address();
    }

    @Override
    public long length()
    {
        return file.length();
    }

    synchronized void retain()
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", "the memory is closed");
        }
        regions++;
    }

    synchronized void release()
    {
        regions--;
    }

    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        if (regions > 0)
        {
            throw new RdmaException(Errno.EBUSY, "free_memory",
                regions + " memory regions cover part of it; close them first");
        }
        isClosed = true;
        context.fabric().remove(this, path);
        file.destroy();
        context.release();
    }
}
