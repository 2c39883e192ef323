/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.tcp;

import org.tutti.rdma.AllocatedMemory;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;
import org.tutti.rdma.os.MemoryCalls;
import org.tutti.rdma.os.MemoryLimits;
import org.tutti.rdma.soft.segment.RegionMemory;

/** Zeroed private memory. Thread-safe. */
final class TcpAllocatedMemory implements AllocatedMemory, RegionMemory
{
    private static final String VERB = "allocate_memory";
    private static final long PAGE = 4096;

    private final TcpContext context;
    private final int number;
    private final long address;
    private final long length;
    private int regions;
    private boolean isClosed;

    TcpAllocatedMemory(final TcpContext context, final int number, final long wanted)
    {
        this.context = context;
        this.number = number;
        if (wanted <= 0 || wanted > Long.MAX_VALUE - PAGE - MemoryCalls.HUGE_PAGE)
        {
            throw new RdmaException(Errno.EINVAL, VERB, wanted + " bytes: must be greater than 0");
        }
        length = (wanted + PAGE - 1) / PAGE * PAGE;
        MemoryLimits.ACTUAL.check(wanted, VERB);
        final long mapped = MemoryCalls.mapLarge(length);
        if (mapped < 0)
        {
            throw new RdmaException(Errno.ENOMEM, VERB, "cannot map " + wanted + " bytes: errno " + -mapped);
        }
        address = mapped;
    }

    @Override
    public int token()
    {
        return 0;
    }

    @Override
    public int number()
    {
        return number;
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

    @Override
    public synchronized void closeExcept(final long... kept)
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
        context.remove(this);
        MemoryCalls.unmapExcept(address, length, kept);
    }
}
