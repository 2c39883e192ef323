/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayQueue;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Which entries of a context's table of regions are free, and their next generations. Thread-safe. */
public final class RegionTable
{
    private static final int PER_PAGE = 4096 / RegionEntry.SIZE;
    private static final int MAX_GENERATION = (1 << RegionEntry.GENERATION_BITS) - 1;

    private final SharedFile file;
    /** First in, first out: a key comes back as late as can be, and meanwhile is refused to those that still use it. */
    private final IntArrayQueue freeKeys = new IntArrayQueue();
    private int limit;
    private int lastSerial;

    public RegionTable(final SharedFile file)
    {
        this.file = file;
    }

    /**
     * Claims an entry and numbers it.
     *
     * @return the key that it has now.
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
        UnsafeApi.putInt(ControlLayout.region(file.address(), index) + RegionEntry.SERIAL_OFFSET, lastSerial);
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
                " memory regions are open, the most a context has; close some, or register fewer and larger ones");
        }
        file.reserve(ControlLayout.REGION_TABLE_OFFSET + (long)limit * RegionEntry.SIZE, 4096, "ibv_reg_mr");
        for (int i = 0; i < PER_PAGE; i++)
        {
            freeKeys.addInt(RegionEntry.key(limit + i, 0));
        }
        limit += PER_PAGE;
        UnsafeApi.putIntVolatile(null, file.address() + ControlLayout.REGION_LIMIT_OFFSET, limit);
    }
}
