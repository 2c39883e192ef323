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
import org.tutti.rdma.GidEntry;
import org.tutti.rdma.GidType;
import org.tutti.rdma.LinkLayer;
import org.tutti.rdma.PortState;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests properties that hold for all devices. */
class PortSelectorPropertyTest
{
    private static final List<String> ADDRESSES =
        List.of("fe80::1", "10.0.0.1", "2001:db8::7", "169.254.9.9", "127.0.0.1", "fd00::3", "::1");

    @Property
    void shouldSelectExactlyOneUsablePortOrReportWhyThereIsNone(
        @ForAll("hosts") final List<DeviceDescription> devices, @ForAll @IntRange(max = 9) final int localRank)
    {
        final PortSelection selection = PortSelector.select("verbs", devices, PortRequest.ANY, localRank);

        final List<PortCandidate> chosen = selection.candidates().stream().filter(PortCandidate::isChosen).toList();
        final boolean isAnyUsable = devices.stream().flatMap(device -> device.ports().stream())
            .anyMatch(port -> port.attributes().state == PortState.ACTIVE && !port.gids().isEmpty());
        assertEquals(isAnyUsable ? 1 : 0, chosen.size());
        assertEquals(isAnyUsable, selection.problem() == null);
        assertTrue(
                selection.candidates().stream().noneMatch(candidate -> candidate.why().isBlank()));
        if (isAnyUsable)
        {
            assertEquals(chosen.getFirst(), selection.chosen());
            assertEquals(PortState.ACTIVE, selection.chosen().port().attributes().state);
            assertTrue(selection.chosen().port().gids().contains(selection.chosen().gid()));
        }
    }

    @Property
    void shouldNotSelectLinkLocalGidWhenARoutableOneExists(@ForAll("hosts") final List<DeviceDescription> devices)
    {
        final PortSelection selection = PortSelector.select("verbs", devices, PortRequest.ANY, 0);

        for (final PortCandidate candidate : selection.candidates())
        {
            if (candidate.gid() != null && candidate.port().attributes().linkLayer == LinkLayer.ETHERNET &&
                isNotRoutable(candidate.gid()))
            {
                assertTrue(candidate.port().gids().stream().allMatch(PortSelectorPropertyTest::isNotRoutable));
                assertTrue(candidate.gidWhy().contains("no routable GID"), candidate::gidWhy);
            }
        }
        if (selection.chosen() != null && !selection.chosen().isFar())
        {
            assertTrue(
                selection.candidates().stream().noneMatch(candidate -> candidate.isUsable() && candidate.isFar()));
        }
    }

    @Property
    void shouldSelectAnyUsablePortWhenNamed(@ForAll("hosts") final List<DeviceDescription> devices)
    {
        final PortSelection free = PortSelector.select("verbs", devices, PortRequest.ANY, 0);

        for (final PortCandidate candidate : free.candidates())
        {
            final PortSelection named =
                PortSelector.select("verbs", devices, PortRequest.of(candidate.port().name(), "", ""), 3);
            assertEquals(candidate.isUsable(), named.chosen() != null);
            if (candidate.isUsable())
            {
                assertEquals(candidate.port(), named.chosen().port());
                assertEquals(candidate.gid(), named.chosen().gid());
            }
            else
            {
                assertNotNull(named.problem());
                assertFalse(named.isRequestWrong());
            }
        }
    }

    @Provide
    Arbitrary<List<DeviceDescription>> hosts()
    {
        final Arbitrary<GidType> types = Arbitraries.of(GidType.ROCE_V1, GidType.ROCE_V2, GidType.UNKNOWN);
        final Arbitrary<List<GidEntry>> gids = Combinators
            .combine(Arbitraries.of(ADDRESSES), types)
            .as((address, type) -> FakeDevices.gid(address, 0, type))
            .list().ofMaxSize(5).map(PortSelectorPropertyTest::numbered);
        final Arbitrary<PortState> states = Arbitraries.of(PortState.ACTIVE, PortState.DOWN, PortState.INIT);
        final Arbitrary<int[]> rates = Arbitraries.of(FakeDevices.EDR_100G, FakeDevices.HDR_200G);
        final Arbitrary<PortDescription> ports = Arbitraries.oneOf(
            Combinators.combine(states, rates, gids)
                .as((state, rate, list) -> FakeDevices.roce(state, rate, list.toArray(GidEntry[]::new))),
            Combinators.combine(states, rates).as(FakeDevices::infiniBand));
        return ports.list().ofMinSize(1).ofMaxSize(2).list().ofMaxSize(4).map(lists ->
        {
            final List<DeviceDescription> devices = new ArrayList<>();
            for (final List<PortDescription> list : lists)
            {
                devices.add(FakeDevices.device("mlx5_" + devices.size(), list.toArray(PortDescription[]::new)));
            }
            return devices;
        });
    }

    private static List<GidEntry> numbered(final List<GidEntry> entries)
    {
        final List<GidEntry> numbered = new ArrayList<>();
        for (final GidEntry entry : entries)
        {
            numbered.add(new GidEntry(entry.gid(), 2 * numbered.size(), 1, entry.type(), 1));
        }
        return numbered;
    }

    private static boolean isNotRoutable(final GidEntry entry)
    {
        return List.of("fe80::1", "169.254.9.9", "127.0.0.1", "::1").stream()
            .anyMatch(address -> FakeDevices.gid(address).equals(entry.gid()));
    }
}
