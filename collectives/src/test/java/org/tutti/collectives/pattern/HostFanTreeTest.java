/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostFanTreeTest
{
    @Test
    void shouldFormOneTreeWithConsecutiveSubtreesForAnyPlacement()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int run = 0; run < 500; run++)
        {
            final int size = 1 + random.nextInt(40);
            final int hosts = 1 + random.nextInt(size);
            final HostMap map = HostMap.of(IntStream.range(0, size).mapToObj((rank) -> random.nextInt(hosts)).toList());

            assertSubtrees(new HostFanTree(map, random.nextInt(size)), map, "seed=" + seed + " run=" + run + " " + map);
        }
    }

    /** An edge enters each host but that of the root. */
    private static void assertSubtrees(final HostFanTree tree, final HostMap map, final String text)
    {
        int entered = 0;
        for (int rank = 0; rank < map.size(); rank++)
        {
            assertEquals(rank, tree.rankAt(tree.position(rank)), text);
            int span = 1;
            for (final int child : tree.children(rank))
            {
                assertEquals(rank, tree.parent(child), text);
                assertTrue(tree.position(child) > tree.position(rank), text);
                assertTrue(
                    tree.position(child) + tree.span(child) <= tree.position(rank) + tree.span(rank), text);
                span += tree.span(child);
                entered += map.host(child) == map.host(rank) ? 0 : 1;
            }
            assertEquals(tree.span(rank), span, text);
        }
        assertEquals(map.size(), tree.span(tree.rankAt(0)), text);
        assertEquals(map.number() - 1, entered, text);
    }

    @Test
    void shouldSendToEightHostsDirectly()
    {
        final HostFanTree tree = new HostFanTree(HostMap.inOrder(16, 2), 3);

        assertArrayEquals(new int[] {4, 6, 8, 10, 12, 14, 0, 2}, tree.children(3));
        assertEquals(List.of(3, 2, 4, 5), IntStream.range(0, 4).map(tree::rankAt).boxed().toList());
    }
}
