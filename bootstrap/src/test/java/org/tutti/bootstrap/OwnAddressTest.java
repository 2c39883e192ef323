/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnAddressTest
{
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.0/8", "127.0.0.0/31", "lo"})
    void shouldFindAddressByAddressNetworkOrInterface(final String text)
    {
        assertTrue(OwnAddress.find(text).isLoopbackAddress());
    }

    @ParameterizedTest
    @ValueSource(strings = {"203.0.113.7", "203.0.113.0/24", "eth-none", "127.0.0.0/33", "127.0.0.0/-1", "127.0.0.0/x",
        "::/200", ""})
    void shouldListAddressesWhenNoneMatches(final String text)
    {
        final String message = assertThrows(BootstrapException.class, () -> OwnAddress.find(text)).getMessage();

        assertTrue(message.startsWith(
            "'" + text + "' is not an address, interface or network of this host: "), message);
        assertTrue(message.contains("127.0.0.1 (lo)"), message);
    }

    @Test
    void shouldPreferAddressThatMostHostsReach()
    {
        final InetAddress linkLocal = InetAddress.ofLiteral("fe80::1");
        final InetAddress global = InetAddress.ofLiteral("2001:db8::1");
        final InetAddress ipv4 = InetAddress.ofLiteral("192.0.2.7");
        final InetAddress ipv4LinkLocal = InetAddress.ofLiteral("169.254.0.7");

        assertEquals(ipv4, OwnAddress.best(List.of(linkLocal, global, ipv4, ipv4LinkLocal)));
        assertEquals(global, OwnAddress.best(List.of(linkLocal, ipv4LinkLocal, global)));
        assertEquals(linkLocal, OwnAddress.best(List.of(linkLocal)));
    }

    @Test
    void shouldUseSshClientAddressUnlessItIsOfAnotherHost()
    {
        assertEquals(LOOPBACK, OwnAddress.towards(null, "127.0.0.1"));
        assertEquals(LOOPBACK, OwnAddress.towards(LOOPBACK, ""));
        // An address of another host, such as of a router in between.
        assertEquals(LOOPBACK, OwnAddress.towards(LOOPBACK, "203.0.113.7"));
        assertNull(OwnAddress.towards(null, "203.0.113.7"));
        assertNull(OwnAddress.towards(null, "not an address"));
    }

    @Test
    void shouldChooseAndExplainAddressThatOtherHostsReach()
    {
        final OwnAddress.Explained choice = OwnAddress.choose();

        assertTrue(OwnAddress.isOurs(choice.address()), choice.reason());
        assertTrue(choice.reason().startsWith(choice.address().getHostAddress() + " ("), choice.reason());
        assertEquals(choice.address().isLoopbackAddress(), choice.reason().contains("which only this host reaches"));
    }

    @Test
    void shouldFormatEndpointsForAeron()
    {
        assertEquals("127.0.0.1:7", OwnAddress.endpoint(LOOPBACK, 7));
        assertEquals("[0:0:0:0:0:0:0:1]:7", OwnAddress.endpoint(InetAddress.ofLiteral("::1"), 7));
        // Other hosts have other interfaces.
        assertEquals("[fd00:0:0:0:0:0:0:1]:7", OwnAddress.endpoint(InetAddress.ofLiteral("fd00::1%1"), 7));
        assertEquals("[fe80:0:0:0:0:0:0:1%1]:7", OwnAddress.endpoint(InetAddress.ofLiteral("fe80::1%1"), 7));
    }
}
