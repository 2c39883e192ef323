/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;

/** Texts about the network interfaces of a host, for messages. Stateless. */
final class InterfaceList
{
    private static final int IPV4_PREFIX = 24;
    private static final int IPV6_PREFIX = 64;

    private InterfaceList()
    {
    }

    /** Lists interfaces with their addresses: "eth0 (10.0.0.1, fd00::1), eth1 (down)". */
    static String text(final List<InterfaceDescription> interfaces)
    {
        // Most interfaces of a host with containers have no address.
        final List<String> texts = interfaces.stream().filter(one -> one.address() != null)
            .map(one -> one.name() + " (" + (one.isUp() ? "" : "down, ") +
                String.join(", ", one.addresses().stream().map(InterfaceList::text).toList()) + ")").toList();
        return texts.isEmpty() ? "none with an address" : String.join(", ", texts);
    }

    /** Formats an address in the shortest form, with the zone of a link-local one. */
    static String text(final InetAddress address)
    {
        if (address instanceof Inet4Address)
        {
            return address.getHostAddress();
        }
        final String text = address.getHostAddress();
        return GidText.of(InterfaceGids.of(address)) +
            (address.isLinkLocalAddress() && text.indexOf('%') >= 0 ? text.substring(text.indexOf('%')) : "");
    }

    /** Returns an example of a network: that of the best interface, with the usual length of a prefix. */
    static String network(final List<InterfaceDescription> interfaces)
    {
        final InetAddress address = interfaces.stream().sorted(InterfaceDescription.preferred())
            .map(InterfaceDescription::address).filter(one -> one != null && AddressKind.of(one).isRoutable())
            .findFirst().orElse(InetAddress.ofLiteral("10.1.0.0"));
        final int prefix = address instanceof Inet4Address ? IPV4_PREFIX : IPV6_PREFIX;
        final byte[] bytes = address.getAddress();
        for (int i = prefix / Byte.SIZE; i < bytes.length; i++)
        {
            bytes[i] = 0;
        }
        return TransportNames.TCP + ":" + text(InterfaceGids.address(bytes)) + "/" + prefix;
    }
}
