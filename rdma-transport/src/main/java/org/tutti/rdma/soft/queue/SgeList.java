/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.queue;

import org.agrona.UnsafeApi;
import org.tutti.rdma.ScatterGatherEntry;
import org.tutti.rdma.soft.segment.RegionEntry;

/** Reads scatter/gather lists in place. Stateless; allocates nothing. */
public final class SgeList
{
    private SgeList()
    {
    }

    public static long entry(final long list, final int index)
    {
        return list + (long)index * ScatterGatherEntry.SIZE;
    }

    public static long address(final long sge)
    {
        return UnsafeApi.getLong(sge + ScatterGatherEntry.ADDRESS_OFFSET);
    }

    public static long length(final long sge)
    {
        return UnsafeApi.getInt(sge + ScatterGatherEntry.LENGTH_OFFSET) & 0xFFFF_FFFFL;
    }

    public static int key(final long sge)
    {
        return UnsafeApi.getInt(sge + ScatterGatherEntry.LKEY_OFFSET);
    }

    /**
     * Whether an entry is inside a region that permits the access.
     *
     * @param control segment of the regions' owner.
     * @param domain  protection domain.
     * @param sge     address of the entry.
     * @param access  required access flags.
     * @param length  length of the entry in bytes.
     * @return false if key, domain, flags or bounds forbid it.
     */
    public static boolean isCovered(
        final long control, final int domain, final long sge, final int access, final long length)
    {
        final long region = RegionEntry.find(control, key(sge));
        return region != 0 && RegionEntry.allows(region, domain, access, address(sge), length);
    }
}
