/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.transport;

import org.agrona.UnsafeApi;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.shm.segment.RegionEntry;

/** Reads scatter/gather lists where they lie. Stateless; allocates nothing. */
final class SgeList
{
    private SgeList()
    {
    }

    static long entry(final long list, final int index)
    {
        return list + (long)index * ScatterGatherEntry.SIZE;
    }

    static long address(final long sge)
    {
        return UnsafeApi.getLong(sge + ScatterGatherEntry.ADDRESS_OFFSET);
    }

    static long length(final long sge)
    {
        return UnsafeApi.getInt(sge + ScatterGatherEntry.LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    static int key(final long sge)
    {
        return UnsafeApi.getInt(sge + ScatterGatherEntry.LKEY_OFFSET);
    }

    /**
     * Whether an entry lies in a region that allows what is to be done.
     *
     * @param control segment of the regions' owner.
     * @param domain  protection domain.
     * @param sge     address of the entry.
     * @param access  flags that are needed.
     * @param length  length in bytes, of the entry.
     * @return false when key, domain, flags or bounds forbid it.
     */
    static boolean isCovered(
        final long control, final int domain, final long sge, final int access, final long length)
    {
        final long region = RegionEntry.find(control, key(sge));
        return region != 0 && RegionEntry.allows(region, domain, access, address(sge), length);
    }
}
