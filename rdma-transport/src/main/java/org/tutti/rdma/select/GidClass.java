/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;

/** The reach of a RoCE port's GID, in order of preference. */
enum GidClass
{
    /** UDP from an IPv4 address, which every network and every tool supports. */
    V2_IPV4("RoCE v2, IPv4"),
    /** UDP from an IPv6 address that routers forward. */
    V2_IPV6("RoCE v2, IPv6"),
    /** The driver does not report the type. */
    UNKNOWN("type not reported"),
    /** Not routable, with a global address. */
    V1("RoCE v1, not routable"),
    /** UDP from a link-local address. */
    V2_LINK_LOCAL("link-local"),
    /** Not routable, with a link-local address. */
    V1_LINK_LOCAL("RoCE v1, link-local"),
    /** A loopback address. */
    LOOPBACK("loopback, reachable from this host only");

    private static final long IPV4_LINK_LOCAL = 169 << 8 | 254;
    private static final long IPV4_LOOPBACK = 127;

    private final String text;

    GidClass(final String text)
    {
        this.text = text;
    }

    static GidClass of(final GidEntry entry)
    {
        final Gid gid = entry.gid();
        if (isLoopback(gid))
        {
            return LOOPBACK;
        }
        if (isLinkLocal(gid))
        {
            return entry.type() == GidType.ROCE_V1 ? V1_LINK_LOCAL : V2_LINK_LOCAL;
        }
        return switch (entry.type())
        {
            case ROCE_V2 -> gid.isIpv4Mapped() ? V2_IPV4 : V2_IPV6;
            // Drivers older than RoCE v2 report type InfiniBand on Ethernet.
            case ROCE_V1, INFINIBAND -> V1;
            case UNKNOWN -> UNKNOWN;
        };
    }

    /**
     * Whether the address is neither link-local nor loopback. True also for RoCE v1, although routers do not forward
     * it.
     */
    boolean isFar()
    {
        return compareTo(V2_LINK_LOCAL) < 0;
    }

    private static boolean isLinkLocal(final Gid gid)
    {
        return gid.isLinkLocal() || (gid.isIpv4Mapped() && (gid.low() >>> 16 & 0xFFFF) == IPV4_LINK_LOCAL);
    }

    private static boolean isLoopback(final Gid gid)
    {
        return (gid.high() == 0 && gid.low() == 1) ||
            (gid.isIpv4Mapped() && (gid.low() >>> 24 & 0xFF) == IPV4_LOOPBACK);
    }

    @Override
    public String toString()
    {
        return text;
    }
}
