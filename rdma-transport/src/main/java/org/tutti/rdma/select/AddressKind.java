/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The reach of an IP address, in order of preference. */
enum AddressKind
{
    /** IPv4, which every network supports. */
    IPV4("IPv4"),
    /** IPv6, global or unique-local. */
    IPV6("IPv6"),
    /** IPv4, valid within one network (RFC 3927). */
    IPV4_LINK_LOCAL("link-local IPv4"),
    /** IPv6, valid within one network. The same address may exist in each network of a host. */
    IPV6_LINK_LOCAL("link-local IPv6"),
    /** Either, of this host only. */
    LOOPBACK("loopback, reachable from this host only");

    private final String text;

    AddressKind(final String text)
    {
        this.text = text;
    }

    static AddressKind of(final InetAddress address)
    {
        if (address.isLoopbackAddress())
        {
            return LOOPBACK;
        }
        return address instanceof Inet4Address ? address.isLinkLocalAddress() ? IPV4_LINK_LOCAL : IPV4 :
            address.isLinkLocalAddress() ? IPV6_LINK_LOCAL : IPV6;
    }

    /** Whether routers forward packets to such an address. */
    boolean isRoutable()
    {
        return compareTo(IPV6) <= 0;
    }

    @Override
    public String toString()
    {
        return text;
    }
}
