/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import org.tutti.rdma.Gid;
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;

/** How far the packets of a RoCE port's GID get; the first is the best to use. */
enum GidClass
{
    /** UDP from an IPv4 address: what every network and every tool understands. */
    V2_IPV4("RoCE v2, IPv4"),
    /** UDP from an IPv6 address that routers forward. */
    V2_IPV6("RoCE v2, IPv6"),
    /** The driver does not tell which. */
    UNKNOWN("of a type that is not told"),
    /** Not routed, but of an address that the network knows. */
    V1("RoCE v1, which no router forwards"),
    /** UDP from an address that is valid on one link. */
    V2_LINK_LOCAL("link-local"),
    /** Not routed, and of an address that is valid on one link. */
    V1_LINK_LOCAL("RoCE v1, link-local"),
    /** Of an address that is valid on this host. */
    LOOPBACK("this host's own, which no other reaches");

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
            // An InfiniBand type on Ethernet is what drivers before RoCE v2 said.
            case ROCE_V1, INFINIBAND -> V1;
            case UNKNOWN -> UNKNOWN;
        };
    }

    /** Whether a host that is not on the same link can be reached. */
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
