/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;

/**
 * The properties of a network interface.
 *
 * @param name      name of the interface, such as {@code eth0}.
 * @param kind      what it is.
 * @param mbit      speed of its link in Mbit/s; 0 if unknown.
 * @param isUp      whether it is up.
 * @param mac       hardware address, in the lowest 48 bits; 0 if it has none.
 * @param addresses its addresses, in the order of the system.
 */
public record InterfaceDescription(
    String name, InterfaceKind kind, int mbit, boolean isUp, long mac, List<InetAddress> addresses)
{
    /** Keeps a copy of the list. */
    public InterfaceDescription
    {
        addresses = List.copyOf(addresses);
    }

    /**
     * Orders interfaces by preference for connections to other hosts: those that can be used first, loopback last.
     *
     * @return a comparator, which is not consistent with equals.
     */
    public static Comparator<InterfaceDescription> preferred()
    {
        return Comparator.comparing((InterfaceDescription one) -> one.kind == InterfaceKind.LOOPBACK)
            .thenComparing(one -> !one.isUp || one.address() == null)
            .thenComparing((one, other) -> InterfaceSelector.compare(one, one.address(), other, other.address()));
    }

    /**
     * The address that peers connect to if none is named.
     *
     * @return the best address; null if the interface has none.
     */
    public InetAddress address()
    {
        return best(addresses);
    }

    /** Returns the best of several addresses, IPv4 first and link-local IPv6 last; null if there are none. */
    static InetAddress best(final List<InetAddress> addresses)
    {
        return addresses.stream().min(Comparator.comparing(AddressKind::of)
            .thenComparing(address -> !(address instanceof Inet4Address))).orElse(null);
    }

    /** Returns what the interface is, with its speed: "physical, 10 Gbit/s". */
    String text()
    {
        return kind + (kind == InterfaceKind.LOOPBACK || kind == InterfaceKind.BRIDGE ? "" : ", " + speed());
    }

    String speed()
    {
        return mbit == 0 ? "speed unknown" : LinkRate.text(mbit);
    }
}
