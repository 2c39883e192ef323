/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.api.Test;

import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostMapTest
{
    @Test
    void shouldNumberHostsByLowestRank()
    {
        final HostMap hosts = HostMap.of(List.of("b", "a", "b", "c", "a", "b"));

        assertEquals("hosts 0 1 0 2 1 0", hosts.toString());
        assertEquals(3, hosts.number());
        assertEquals(1, hosts.smallest());
        assertEquals(3, hosts.largest());
        assertEquals(5, hosts.rank(0, 2));
        assertEquals(1, hosts.index(4));
    }

    @Test
    void shouldBeEqualWhenPlacementIsEqual()
    {
        assertEquals(HostMap.inOrder(5, 2), HostMap.of(List.of("x", "x", "y", "y", "z")));
        assertEquals(HostMap.inOrder(5, 2).hashCode(), HostMap.of(List.of(7, 7, 8, 8, 9)).hashCode());
        assertEquals(HostMap.one(3), HostMap.of(List.of(1, 1, 1)));
        assertNotEquals(HostMap.inOrder(5, 2), HostMap.of(List.of("x", "x", "y", "z", "z")));
        assertNotEquals(HostMap.one(2), HostMap.inOrder(2, 1));
    }

    @Test
    void shouldMapHostAndIndexBackToRank()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int size = 1; size < 40; size++)
        {
            final int number = 1 + random.nextInt(size);
            assertConsistent(HostMap.of(random.ints(size, 0, number).boxed().toList()), "seed=" + seed);
            assertConsistent(HostMap.inOrder(size, number), "seed=" + seed);
        }
    }

    private static void assertConsistent(final HostMap hosts, final String name)
    {
        int ranks = 0;
        for (int host = 0; host < hosts.number(); host++)
        {
            assertTrue(hosts.smallest() <= hosts.ranks(host) && hosts.ranks(host) <= hosts.largest(), name);
            for (int index = 0; index < hosts.ranks(host); index++)
            {
                final int rank = hosts.rank(host, index);
                assertEquals(host, hosts.host(rank), name);
                assertEquals(index, hosts.index(rank), name);
                ranks++;
            }
        }
        assertEquals(hosts.size(), ranks, name);
    }

    @Test
    void shouldBeHierarchicalOnlyWhenSeveralHostsAndSeveralRanksOnOne()
    {
        assertFalse(HostMap.one(4).isHierarchical());
        assertFalse(HostMap.inOrder(4, 1).isHierarchical());
        assertTrue(HostMap.inOrder(3, 2).isHierarchical());
    }

    @Test
    void shouldThrowWhenNoRanks()
    {
        assertThrows(IllegalArgumentException.class, () -> HostMap.inOrder(0, 1));
        assertThrows(IllegalArgumentException.class, () -> HostMap.inOrder(1, 0));
    }

    /** The tree has one edge into every rank but the root, and one from another host into every host but the root's. */
    @Test
    void shouldHaveOneEdgeIntoEachHostWhenHostTree()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int size = 1; size < 40; size++)
        {
            final int number = 1 + random.nextInt(size);
            final HostMap hosts = HostMap.of(random.ints(size, 0, number).boxed().toList());
            final HostTree tree = new HostTree(hosts, random.nextInt(size));
            final BitSet reached = new BitSet();
            int between = 0;
            for (int rank = 0; rank < size; rank++)
            {
                final int parent = rank;
                assertTrue(tree.children(rank).length <= tree.maxChildren(), "seed=" + seed);
                for (final int child : tree.children(rank))
                {
                    assertEquals(parent, tree.parent(child), "seed=" + seed);
                    assertFalse(reached.get(child), "seed=" + seed);
                    reached.set(child);
                    between += hosts.host(parent) == hosts.host(child) ? 0 : 1;
                }
            }
            assertEquals(Tree.NONE, tree.parent(tree.root()));
            assertEquals(IntStream.range(0, size).filter(rank -> rank != tree.root()).boxed().toList(),
                reached.stream().boxed().toList(), "seed=" + seed);
            assertEquals(hosts.number() - 1, between, "seed=" + seed);
        }
    }
}
