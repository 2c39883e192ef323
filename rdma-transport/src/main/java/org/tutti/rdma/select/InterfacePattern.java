/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import java.net.InetAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Interfaces as named by the user: by the name of one, by an address, or by a network, which selects the interface of
 * each host in it.
 *
 * @param text    text of the user.
 * @param name    name of the interface, or zone of the address or network; null for any.
 * @param network address of the network; null for a name.
 * @param prefix  number of bits of the address that must be equal.
 */
record InterfacePattern(String text, String name, InetAddress network, int prefix)
{
    /** An address with an optional zone, and the length of a prefix (RFC 4007): {@code fe80::%eth0/10}. */
    private static final Pattern ADDRESS = Pattern.compile("([^%/]+)(?:%([^%/]+))?(?:/(.*))?");
    private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F]*:[0-9a-fA-F]*:[0-9a-fA-F:.]*");

    /**
     * Whether a text must be an address or a network, as no RDMA device has such a name.
     *
     * @param text text of the user.
     * @return false for a name.
     */
    static boolean isAddress(final String text)
    {
        final Matcher matcher = ADDRESS.matcher(text);
        return text.indexOf('/') >= 0 || (matcher.matches() && isLiteral(matcher.group(1)));
    }

    private static boolean isLiteral(final String text)
    {
        return IPV4.matcher(text).matches() || IPV6.matcher(text).matches();
    }

    /**
     * Parses a pattern.
     *
     * @param text text of the user, without a prefix for the transport.
     * @return the pattern.
     * @throws IllegalArgumentException if it is neither a name nor an address nor a network; the message begins with
     *                                  the text.
     */
    static InterfacePattern of(final String text)
    {
        if (!isAddress(text))
        {
            if (text.isEmpty() || text.indexOf(':') >= 0)
            {
                throw wrong(text, "is not the name of a network interface, an address or a network: give one " +
                    "such as eth0, 10.1.0.7, 10.1.0.0/16 or fd00::/64");
            }
            return new InterfacePattern(text, text, null, 0);
        }
        final Matcher matcher = ADDRESS.matcher(text);
        final InetAddress address = matcher.matches() ? literal(matcher.group(1)) : null;
        if (address == null)
        {
            throw wrong(text, "is not an address or a network: give one such as 10.1.0.7, fd00::7, 10.1.0.0/16 or " +
                "fd00::/64");
        }
        if (AddressKind.of(address) == AddressKind.IPV6_LINK_LOCAL && matcher.group(2) == null)
        {
            throw wrong(text, "is link-local, so that it may exist at each interface: name the interface too, " +
                "such as fe80::1%eth0 or fe80::%eth0/10");
        }
        final int bits = Byte.SIZE * address.getAddress().length;
        return new InterfacePattern(text, matcher.group(2), address,
            matcher.group(3) == null ? bits : prefix(text, matcher.group(3), bits));
    }

    private static InetAddress literal(final String text)
    {
        try
        {
            return isLiteral(text) ? InetAddress.ofLiteral(text) : null;
        }
        catch (final IllegalArgumentException e)
        {
            return null;
        }
    }

    private static int prefix(final String text, final String length, final int bits)
    {
        final int prefix = length.matches("[0-9]{1,3}") ? Integer.parseInt(length) : -1;
        if (prefix < 0 || prefix > bits)
        {
            throw wrong(text, "is not a network: the length '" + length + "' of the prefix must be a number from 0 " +
                "to " + bits);
        }
        return prefix;
    }

    private static IllegalArgumentException wrong(final String text, final String problem)
    {
        return new IllegalArgumentException("'" + text + "' " + problem);
    }

    /** Whether this is the name of an interface, which may have any addresses. */
    boolean isName()
    {
        return network == null;
    }

    /** Returns the addresses of an interface that this pattern selects. */
    List<InetAddress> addresses(final InterfaceDescription one)
    {
        return name != null && !name.equals(one.name()) ? List.of() :
            one.addresses().stream().filter(this::contains).toList();
    }

    private boolean contains(final InetAddress address)
    {
        if (network == null)
        {
            return true;
        }
        final byte[] expected = network.getAddress();
        final byte[] actual = address.getAddress();
        final boolean isLinkLocal = AddressKind.of(address) == AddressKind.IPV6_LINK_LOCAL;
        if (actual.length != expected.length || (isLinkLocal && name == null))
        {
            return false;
        }
        for (int bit = 0; bit < prefix; bit++)
        {
            if (((expected[bit >> 3] ^ actual[bit >> 3]) & 0x80 >> (bit & 7)) != 0)
            {
                return false;
            }
        }
        return true;
    }

    /** Returns what is wrong if a host has no such interface. */
    String missing()
    {
        return "this host has no network interface" + (isName() ? " " :
            prefix == Byte.SIZE * network.getAddress().length ? " with address " : " with an address in ") + text;
    }
}
