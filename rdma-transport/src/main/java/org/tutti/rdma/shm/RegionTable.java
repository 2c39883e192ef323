/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayList;
import org.tutti.rdma.Errno;
import org.tutti.rdma.RdmaException;

/** Which entries of a context's table of regions are free, and their next generations. Thread-safe. */
final class RegionTable
{
    private static final int PER_PAGE = 4096 / RegionEntry.SIZE;
    private static final int MAX_GENERATION = (1 << RegionEntry.GENERATION_BITS) - 1;

    private final SharedFile file;
    private final IntArrayList freeKeys = new IntArrayList();
    private int limit;

    RegionTable(final SharedFile file)
    {
        this.file = file;
    }

    /**
     * Claims an entry.
     *
     * @return the key that it has now.
     */
    synchronized int claim()
    {
        if (freeKeys.isEmpty())
        {
            grow();
        }
        final int key = freeKeys.removeAt(freeKeys.size() - 1);
        final int generation = (key & MAX_GENERATION) % MAX_GENERATION + 1;
        return RegionEntry.key(RegionEntry.index(key), generation);
    }

    synchronized void release(final int key)
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
        for (int i = PER_PAGE - 1; i >= 0; i--)
        {
            freeKeys.addInt(RegionEntry.key(limit + i, 0));
        }
        limit += PER_PAGE;
        UnsafeApi.putIntVolatile(null, file.address() + ControlLayout.REGION_LIMIT_OFFSET, limit);
    }
}
