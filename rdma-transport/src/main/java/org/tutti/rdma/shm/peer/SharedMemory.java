/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.peer;

import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.soft.segment.RegionMemory;

import java.nio.file.Path;

/** Memory of a context in a separate file, which peers map too. Thread-safe. */
public final class SharedMemory implements RegionMemory
{
    private static final long PAGE = 4096;

    private final Fabric fabric;
    private final int token;
    private final int number;
    private final Path path;
    private final SharedFile file;
    private int regions;
    private boolean isClosed;

    /**
     * Allocates memory.
     *
     * @param fabric fabric of the context.
     * @param token  token of the context.
     * @param number number of the memory, among those of the context.
     * @param length length in bytes, rounded up to whole pages.
     * @throws RdmaException with EINVAL if the length is out of range, with ENOMEM if no memory is left.
     */
    public SharedMemory(final Fabric fabric, final int token, final int number, final long length)
    {
        this.fabric = fabric;
        this.token = token;
        this.number = number;
        if (length <= 0 || length > Long.MAX_VALUE - PAGE)
        {
            throw new RdmaException(Errno.EINVAL, "allocate_memory", length + " bytes: must be greater than 0");
        }
        path = fabric.memoryPath(token, number);
        final long pages = (length + PAGE - 1) / PAGE * PAGE;
        file = SharedFile.create(path, pages, pages, "allocate_memory");
        file.populateIfLong();
        fabric.add(this, path);
    }

    @Override
    public int token()
    {
        return token;
    }

    @Override
    public int number()
    {
        return number;
    }

    @Override
    public long address()
    {
        return file.address();
    }

    public long length()
    {
        return file.length();
    }

    @Override
    public synchronized void retain()
    {
        if (isClosed)
        {
            throw new RdmaException(Errno.EFAULT, "ibv_reg_mr", "the memory is closed");
        }
        regions++;
    }

    @Override
    public synchronized void release()
    {
        regions--;
    }

    /**
     * Unmaps the memory and frees its pages, except for parts that become private memory. Idempotent.
     *
     * @param kept offset and length of each part, in bytes: whole pages, ascending, without overlap.
     * @return true if this call closed the memory.
     * @throws RdmaException with EBUSY while memory regions cover part of the memory, with ENOMEM if parts cannot be
     *                       copied.
     */
    public synchronized boolean close(final long... kept)
    {
        if (isClosed)
        {
            return false;
        }
        if (regions > 0)
        {
            throw new RdmaException(Errno.EBUSY, "free_memory",
                regions + " memory regions cover part of it; close them first");
        }
        for (int i = 0; i < kept.length; i += 2)
        {
            final int errno = -MemoryCalls.makePrivate(address() + kept[i], kept[i + 1]);
            if (errno != 0)
            {
                throw new RdmaException(errno, "free_memory", "cannot copy " + kept[i + 1] + " bytes that are in use");
            }
        }
        isClosed = true;
        fabric.remove(this, path);
        file.destroy(kept);
        return true;
    }
}
