/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.contract;

import org.tutti.rdma.AddressHandleAttributes;
import org.tutti.rdma.Context;
import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;

import java.util.List;

/** Selects the GID of port 1 for tests. Stateless. */
final class TestPort
{
    /** The value that the kernel uses for RoCE, regardless of the requested value. */
    private static final int HOP_LIMIT = 64;

    private TestPort()
    {
    }

    /** The GID of RoCE v2 over IPv4 if there is one, else the first. */
    static GidEntry source(final Context context)
    {
        final List<GidEntry> table = context.queryGidTable(1);
        for (final GidEntry entry : table)
        {
            if (entry.type() == GidType.ROCE_V2 && entry.gid().isIpv4Mapped())
            {
                return entry;
            }
        }
        return table.getFirst();
    }

    /** The increment of timeout exponents: a driver in an emulated host is about 20 times slower than shared memory. */
    static int slowness(final Context context)
    {
        return context.queryPort(1).linkLayer == LinkLayer.SHARED_MEMORY ? 0 : 4;
    }

    /** A path from that GID, with a global route header. */
    static AddressHandleAttributes path(final Context context, final Gid destination, final int lid)
    {
        return new AddressHandleAttributes(true, destination, source(context).index(), HOP_LIMIT, lid, 0, 1);
    }
}
