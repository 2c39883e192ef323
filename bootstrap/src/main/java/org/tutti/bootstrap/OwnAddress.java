/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Chooses the address at which other hosts reach this one. Stateless. */
public final class OwnAddress
{
    private static final int ANY_PORT = 9;
    /** Addresses of no host (RFC 5737, RFC 3849): packets to other networks, such as these, take the default route. */
    private static final List<InetAddress> ELSEWHERE =
        List.of(InetAddress.ofLiteral("192.0.2.1"), InetAddress.ofLiteral("2001:db8::1"));

    /**
     * A choice and its reason.
     *
     * @param address the address of this host.
     * @param reason  why it was chosen, such as "10.0.0.1 (eth0) is on the default route; this host also has
     *                172.17.0.1 (docker0)".
     */
    record Explained(InetAddress address, String reason)
    {
    }

    private OwnAddress()
    {
    }

    /**
     * Finds the address that the user chose.
     *
     * @param text an address, the name of an interface, or a network such as 10.1.0.0/16.
     * @return the address of this host.
     * @throws BootstrapException if this host has no such address; the message lists its addresses.
     */
    public static InetAddress find(final String text)
    {
        final List<InetAddress> meant = new ArrayList<>();
        for (final NetworkInterface nic : interfaces())
        {
            for (final InetAddress address : Collections.list(nic.getInetAddresses()))
            {
                if (text.equals(nic.getName()) || isIn(address, text))
                {
                    meant.add(address);
                }
            }
        }
        if (!meant.isEmpty())
        {
            return best(meant);
        }
        throw new BootstrapException("'" + text + "' is not an address, interface or network of this host: " +
            "give one of " + describe());
    }

    /**
     * Chooses the address at which most other hosts reach this one: that of the default route, which never leads
     * over a bridge of containers; else any but loopback.
     */
    static Explained choose()
    {
        final List<InetAddress> all = interfaces().stream().flatMap(nic -> Collections.list(nic.getInetAddresses())
            .stream()).filter(address -> !address.isLoopbackAddress()).toList();
        for (final InetAddress elsewhere : ELSEWHERE)
        {
            final InetAddress address = route(elsewhere);
            if (address != null && !address.isLoopbackAddress())
            {
                return new Explained(address, name(address) + " is on the default route" + others(address, all));
            }
        }
        if (!all.isEmpty())
        {
            final InetAddress address = best(all);
            return new Explained(address, name(address) + ", as there is no default route" + others(address, all));
        }
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        return new Explained(loopback, name(loopback) + ", which only this host reaches, as it has no other address");
    }

    private static String others(final InetAddress chosen, final List<InetAddress> all)
    {
        final List<String> others = all.stream()
            .filter(address -> !address.equals(chosen) && !address.isLinkLocalAddress()).map(OwnAddress::name).toList();
        return others.isEmpty() ? "" : "; this host also has " + String.join(", ", others);
    }

    private static String name(final InetAddress address)
    {
        try
        {
            final NetworkInterface nic = NetworkInterface.getByInetAddress(address);
            return text(address) + (nic == null ? "" : " (" + nic.getName() + ")");
        }
        catch (final SocketException ex)
        {
            return text(address);
        }
    }

    /**
     * Returns whether an address belongs to this host.
     *
     * @param address any address.
     * @return true for addresses of this host's interfaces, loopback addresses and wildcards.
     */
    public static boolean isOurs(final InetAddress address)
    {
        try
        {
            return address.isLoopbackAddress() || address.isAnyLocalAddress() ||
                NetworkInterface.getByInetAddress(address) != null;
        }
        catch (final SocketException ex)
        {
            return false;
        }
    }

    /** Returns the address that most hosts can reach: IPv4 first, link-local addresses last. */
    static InetAddress best(final List<InetAddress> addresses)
    {
        return addresses.stream().min(
            Comparator.comparing(InetAddress::isLinkLocalAddress).thenComparing(address -> address.getAddress().length))
            .orElseThrow();
    }

    /**
     * Determines the address at which another host reaches this one.
     *
     * @param known  the other host's address, or null if unknown to the name service.
     * @param client the address of the ssh client, as seen by sshd on the other host, or empty.
     * @return the address of this host, or null if it cannot be determined.
     */
    public static InetAddress towards(final InetAddress known, final String client)
    {
        final InetAddress seen = literal(client);
        if (seen != null && isOurs(seen))
        {
            return seen;
        }
        return known == null ? null : route(known);
    }

    /**
     * Lists this host's addresses for a message.
     *
     * @return the addresses with their interfaces, such as "10.0.0.1 (eth0), 192.168.1.7 (wlan0)".
     */
    public static String describe()
    {
        final List<String> addresses = new ArrayList<>();
        for (final NetworkInterface nic : interfaces())
        {
            for (final InetAddress address : Collections.list(nic.getInetAddresses()))
            {
                if (!address.isLinkLocalAddress())
                {
                    addresses.add(text(address) + " (" + nic.getName() + ")");
                }
            }
        }
        return addresses.isEmpty() ? "none" : String.join(", ", addresses);
    }

    /**
     * Formats an address and a port for Aeron.
     *
     * @param address the IPv4 or IPv6 address.
     * @param port    the port.
     * @return the endpoint, such as "10.0.0.1:4000".
     */
    public static String endpoint(final InetAddress address, final int port)
    {
        return new HostPort(text(address), port).toString();
    }

    /**
     * Formats an address for other hosts.
     *
     * @param address the IPv4 or IPv6 address.
     * @return the address; only a link-local one has a zone, which is the name of an interface of this host.
     */
    public static String text(final InetAddress address)
    {
        final String text = address.getHostAddress();
        final int zone = text.indexOf('%');
        return zone < 0 || address.isLinkLocalAddress() ? text : text.substring(0, zone);
    }

    /** Parses a literal address without a name service; returns null if the text is not an address. */
    static InetAddress literal(final String text)
    {
        try
        {
            return text.isEmpty() ? null : InetAddress.ofLiteral(text);
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }

    private static InetAddress route(final InetAddress host)
    {
        try (DatagramSocket socket = new DatagramSocket())
        {
            // Sends nothing: the kernel only selects the route.
            socket.connect(new InetSocketAddress(host, ANY_PORT));
            return socket.getLocalAddress().isAnyLocalAddress() ? null : socket.getLocalAddress();
        }
        catch (final SocketException ex)
        {
            return null;
        }
    }

    private static List<NetworkInterface> interfaces()
    {
        try
        {
            final List<NetworkInterface> up = new ArrayList<>();
            for (final NetworkInterface nic : Collections.list(NetworkInterface.getNetworkInterfaces()))
            {
                if (nic.isUp())
                {
                    up.add(nic);
                }
            }
            return up;
        }
        catch (final SocketException ex)
        {
            return List.of();
        }
    }

    private static boolean isIn(final InetAddress address, final String text)
    {
        final int slash = text.indexOf('/');
        final InetAddress network = literal(slash < 0 ? text : text.substring(0, slash));
        if (network == null || network.getAddress().length != address.getAddress().length)
        {
            return false;
        }
        final int bits = 8 * address.getAddress().length;
        final int prefix = slash < 0 ? bits : prefix(text.substring(slash + 1), bits);
        for (int bit = 0; bit < prefix; bit++)
        {
            final int mask = 0x80 >> (bit & 7);
            if (((network.getAddress()[bit >> 3] ^ address.getAddress()[bit >> 3]) & mask) != 0)
            {
                return false;
            }
        }
        return prefix >= 0;
    }

    private static int prefix(final String text, final int bits)
    {
        try
        {
            final int prefix = Integer.parseInt(text);
            return prefix > bits ? -1 : prefix;
        }
        catch (final NumberFormatException ex)
        {
            return -1;
        }
    }
}
