/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.launcher.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.tutti.bootstrap.Hosts;

class RankPlacementTest
{
    private static final List<HostSlots> HOSTS =
        List.of(new HostSlots("a", 2), new HostSlots(Hosts.local(), 1), new HostSlots("b", 3));

    @Test
    void shouldFillHostsInOrder()
    {
        final RankPlacement placement = RankPlacement.of(HOSTS, 4, RankPlacement.Order.SLOT);

        assertEquals(List.of(
            new RankPlacement.Host("a", false, List.of(0, 1)),
            new RankPlacement.Host(Hosts.local(), true, List.of(2)),
            new RankPlacement.Host("b", false, List.of(3))), placement.hosts());
    }

    @Test
    void shouldPlaceRoundRobinUntilHostIsFull()
    {
        final RankPlacement placement = RankPlacement.of(HOSTS, 6, RankPlacement.Order.NODE);

        assertEquals(List.of(
            new RankPlacement.Host("a", false, List.of(0, 3)),
            new RankPlacement.Host(Hosts.local(), true, List.of(1)),
            new RankPlacement.Host("b", false, List.of(2, 4, 5))), placement.hosts());
        assertEquals(1, placement.localRank(3));
        assertEquals(3, placement.localSize(5));
        assertEquals(2, placement.localRank(5));
    }

    @Test
    void shouldOmitHostsWithoutRanks()
    {
        final RankPlacement placement = RankPlacement.of(HOSTS, 2, RankPlacement.Order.SLOT);

        assertEquals(List.of("a"), placement.hosts().stream().map(RankPlacement.Host::name).toList());
        assertTrue(placement.isRemoteUsed());
        assertFalse(placement.isLocalUsed());
    }

    @Test
    void shouldPlaceRanksOnRemainingHostsAsFarAsTheyHaveSlots()
    {
        final List<HostSlots> hosts = List.of(new HostSlots("a", 2), new HostSlots("b", 2), new HostSlots("c", 1));
        final RankPlacement four = RankPlacement.of(hosts, 4, RankPlacement.Order.SLOT);

        final RankPlacement three = four.without(Set.of("b"));

        assertEquals(List.of(new RankPlacement.Host("a", false, List.of(0, 1)),
            new RankPlacement.Host("c", false, List.of(2))), three.hosts());
        // A host that had no rank replaces one that had.
        assertEquals(2, RankPlacement.of(hosts, 2, RankPlacement.Order.SLOT).without(Set.of("a")).size());
        assertEquals(3, four.givenHosts());
    }

    @Property
    void shouldPlaceEachRankOnceWithinSlots(
        @ForAll @Size(min = 1, max = 6) final List<@IntRange(min = 1, max = 5) Integer> slots,
        @ForAll final RankPlacement.Order order,
        @ForAll @IntRange(min = 1, max = 30) final int wanted)
    {
        final List<HostSlots> hosts = new ArrayList<>();
        slots.forEach(count -> hosts.add(new HostSlots("h" + hosts.size(), count)));
        final int size = Math.min(wanted, slots.stream().mapToInt(Integer::intValue).sum());

        final RankPlacement placement = RankPlacement.of(hosts, size, order);

        assertEquals(size, placement.hosts().stream().mapToInt(host -> host.ranks().size()).sum());
        for (int rank = 0; rank < size; rank++)
        {
            final RankPlacement.Host host = placement.hosts().get(placement.hostOf(rank));
            assertEquals(rank, host.ranks().get(placement.localRank(rank)));
            assertTrue(placement.localSize(rank) <= slots.get(Integer.parseInt(host.name().substring(1))));
        }
    }
}
