/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.select;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests properties that hold for all network interfaces. */
class InterfaceSelectorPropertyTest
{
    private static final List<String> ADDRESSES = List.of("10.0.0.1", "10.1.0.1", "192.0.2.1", "2001:db8::7",
        "fd00::3", "169.254.9.9", "fe80::1%1", "fe80::2%1", "127.0.0.1", "::1");

    @Property
    void shouldSelectOneInterfaceOrNameTheProblem(
        @ForAll("hosts") final List<InterfaceDescription> interfaces, @ForAll final PeerLocation peers)
    {
        final InterfaceSelection selection = InterfaceSelector.select(interfaces, PortRequest.ANY, 0, peers);

        assertEquals(interfaces.size(), selection.candidates().size());
        assertEquals(selection.chosen() < 0, selection.problem() != null);
        assertFalse(selection.isWrong());
        for (final InterfaceCandidate candidate : selection.candidates())
        {
            assertFalse(candidate.why().isBlank());
        }
        if (selection.chosen() >= 0)
        {
            final InterfaceCandidate chosen = selection.candidates().get(selection.chosen());
            final InterfaceDescription one = interfaces.get(selection.chosen());
            assertTrue(chosen.isUsable() && one.isUp() && one.addresses().contains(chosen.address()));
            assertNotEquals(AddressKind.IPV6_LINK_LOCAL, AddressKind.of(chosen.address()));
        }
    }

    @Property
    void shouldNotSelectLoopbackOrBridgeForOtherHosts(@ForAll("hosts") final List<InterfaceDescription> interfaces)
    {
        final InterfaceSelection selection =
            InterfaceSelector.select(interfaces, PortRequest.ANY, 0, PeerLocation.OTHER_HOSTS);

        assertTrue(selection.candidates().stream().filter(InterfaceCandidate::isUsable)
            .map(one -> interfaces.get(one.index()).kind())
            .noneMatch(kind -> kind == InterfaceKind.LOOPBACK || kind == InterfaceKind.BRIDGE));
    }

    /** The choice must not depend on the order in which the system lists interfaces, except among equals. */
    @Property
    void shouldSelectEquallyGoodInterfaceWhateverTheOrder(
        @ForAll("hosts") final List<InterfaceDescription> interfaces, @ForAll final PeerLocation peers,
        @ForAll final java.util.Random random)
    {
        final List<InterfaceDescription> shuffled = new ArrayList<>(interfaces);
        Collections.shuffle(shuffled, random);

        final InterfaceSelection one = InterfaceSelector.select(interfaces, PortRequest.ANY, 0, peers);
        final InterfaceSelection other = InterfaceSelector.select(shuffled, PortRequest.ANY, 0, peers);

        assertEquals(one.chosen() < 0, other.chosen() < 0);
        if (one.chosen() >= 0)
        {
            assertEquals(0, InterfaceSelector.compare(
                interfaces.get(one.chosen()), one.candidates().get(one.chosen()).address(),
                shuffled.get(other.chosen()), other.candidates().get(other.chosen()).address()));
        }
    }

    @Property
    void shouldSelectNamedInterfaceOrNameTheSetting(
        @ForAll("hosts") final List<InterfaceDescription> interfaces, @ForAll @IntRange(max = 9) final int localRank)
    {
        for (final InterfaceDescription named : interfaces)
        {
            final InterfaceSelection selection = InterfaceSelector.select(interfaces,
                PortRequest.of("tcp:" + named.name(), "", ""), localRank, PeerLocation.OTHER_HOSTS);

            final boolean isUsable = named.isUp() && !named.addresses().isEmpty();
            assertEquals(isUsable ? interfaces.indexOf(named) : -1, selection.chosen());
            assertTrue(isUsable || (selection.isWrong() && selection.problem().startsWith("TUTTI_DEVICE='tcp:")));
        }
    }

    @Provide
    Arbitrary<List<InterfaceDescription>> hosts()
    {
        final Arbitrary<List<InetAddress>> addresses =
            Arbitraries.of(ADDRESSES).map(InetAddress::ofLiteral).list().ofMaxSize(3).uniqueElements();
        return Combinators.combine(Arbitraries.of(InterfaceKind.class), Arbitraries.of(0, 1000, 10_000, 100_000),
            Arbitraries.of(true, true, true, false), addresses)
            .as((kind, mbit, isUp, list) -> new InterfaceDescription("", kind, mbit, isUp, 0, list))
            .list().ofMaxSize(5).map(InterfaceSelectorPropertyTest::named);
    }

    private static List<InterfaceDescription> named(final List<InterfaceDescription> interfaces)
    {
        final List<InterfaceDescription> named = new ArrayList<>();
        for (final InterfaceDescription one : interfaces)
        {
            named.add(new InterfaceDescription(
                "eth" + named.size(), one.kind(), one.mbit(), one.isUp(), 0, one.addresses()));
        }
        return named;
    }
}
