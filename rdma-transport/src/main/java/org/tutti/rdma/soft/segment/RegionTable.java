/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** The free entries of a context's region table and their next generations. Thread-safe. */
public final class RegionTable
{
    private static final int PER_PAGE = 4096 / RegionEntry.SIZE;
    private static final int MAX_GENERATION = (1 << RegionEntry.GENERATION_BITS) - 1;

    private final ControlMemory memory;
    /** FIFO, so that a key is reused as late as possible and stale uses are rejected until then. */
    private final IntArrayQueue freeKeys = new IntArrayQueue();
    private int limit;
    private int lastSerial;

    public RegionTable(final ControlMemory memory)
    {
        this.memory = memory;
    }

    /**
     * Claims an entry and assigns a key.
     *
     * @return key of the entry.
     */
    public synchronized int claim()
    {
        if (freeKeys.isEmpty())
        {
            grow();
        }
        final int key = freeKeys.pollInt();
        final int index = RegionEntry.index(key);
        lastSerial += lastSerial == -1 ? 2 : 1;
        UnsafeApi.putInt(ControlLayout.region(memory.address(), index) + RegionEntry.SERIAL_OFFSET, lastSerial);
        return RegionEntry.key(index, (key & MAX_GENERATION) % MAX_GENERATION + 1);
    }

    public synchronized void release(final int key)
    {
        freeKeys.addInt(key);
    }

    private void grow()
    {
        if (limit == ControlLayout.MAX_REGIONS)
        {
            throw new RdmaException(Errno.ENOMEM, "ibv_reg_mr", limit +
                " memory regions are open, the maximum of a context; close some, or register fewer and larger ones");
        }
        memory.reserve(ControlLayout.REGION_TABLE_OFFSET + (long)limit * RegionEntry.SIZE, 4096, "ibv_reg_mr");
        for (int i = 0; i < PER_PAGE; i++)
        {
            freeKeys.addInt(RegionEntry.key(limit + i, 0));
        }
        limit += PER_PAGE;
        UnsafeApi.putIntVolatile(null, memory.address() + ControlLayout.REGION_LIMIT_OFFSET, limit);
    }
}
