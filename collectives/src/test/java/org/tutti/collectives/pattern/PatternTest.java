/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class PatternTest
{
    private static final int MAX_SIZE = 70;

    @Test
    void shouldPartitionEvenlyWithoutGaps()
    {
        for (int chunks = 1; chunks < 20; chunks++)
        {
            for (long count = 0; count < 100; count++)
            {
                assertPartition(new Partition(count, chunks));
            }
            assertPartition(new Partition(Long.MAX_VALUE, chunks));
        }
    }

    private static void assertPartition(final Partition partition)
    {
        long offset = 0;
        for (int chunk = 0; chunk < partition.number(); chunk++)
        {
            assertEquals(offset, partition.offset(chunk), partition + " chunk " + chunk);
            assertTrue(partition.longest() - partition.length(chunk) <= 1, partition + " chunk " + chunk);
            offset += partition.length(chunk);
        }
        assertEquals(partition.count(), offset, partition.toString());
    }

    @Test
    void shouldDivideIntoSegmentsWithoutGaps()
    {
        for (long count = 0; count < 20; count++)
        {
            for (long length = 1; length < 22; length++)
            {
                final Segments segments = new Segments(7, count, length);
                long offset = 7;
                for (int i = 0; i < segments.number(); i++)
                {
                    assertEquals(offset, segments.offset(i), segments.toString());
                    assertTrue(segments.length(i) > 0 && segments.length(i) <= segments.longest());
                    offset += segments.length(i);
                }
                assertEquals(7 + count, offset, segments.toString());
                assertEquals(0, segments.length(segments.number()));
            }
        }
        assertThrows(IllegalArgumentException.class, () -> new Segments(0, Long.MAX_VALUE, 1).number());
    }

    @Test
    void shouldFoldRanksOntoPowerOfTwoInRankOrder()
    {
        for (int size = 1; size <= MAX_SIZE; size++)
        {
            final FoldedRanks folded = new FoldedRanks(size);
            assertTrue(folded.count() <= size && size < 2 * folded.count());
            assertEquals(folded.count(), 1 << folded.rounds());
            assertEquals(folded.count() < size, folded.hasExtras());
            int next = 0;
            for (int foldedRank = 0; foldedRank < folded.count(); foldedRank++)
            {
                final int rank = next++;
                assertEquals(rank, folded.rank(foldedRank));
                assertEquals(foldedRank, folded.foldedRank(rank));
                assertFalse(folded.isExtra(rank));
                if (folded.extraOf(rank) != FoldedRanks.NONE)
                {
                    assertEquals(next, folded.extraOf(rank));
                    assertEquals(foldedRank, folded.foldedRank(next));
                    assertEquals(FoldedRanks.NONE, folded.extraOf(next));
                    assertTrue(folded.isExtra(next++));
                }
            }
            assertEquals(size, next);
        }
    }

    @Test
    void shouldForwardChunkOfPreviousRankInNextStepWhenRing()
    {
        for (int size = 2; size < 20; size++)
        {
            for (int rank = 0; rank < size; rank++)
            {
                final RingPattern ring = new RingPattern(rank, size);
                final RingPattern previous = new RingPattern(ring.previous(), size);
                assertEquals(rank, previous.next());
                assertEquals(rank, ring.sent(0));
                for (int step = 0; step < ring.steps(); step++)
                {
                    assertEquals(previous.sent(step), ring.received(step));
                    assertEquals(ring.received(step), ring.sent(step + 1));
                }
            }
        }
    }

    @Test
    void shouldHearFromAllRanksWhenDissemination()
    {
        for (int size = 1; size < MAX_SIZE; size++)
        {
            List<BitSet> heard = new ArrayList<>();
            for (int rank = 0; rank < size; rank++)
            {
                heard.add(BitSet.valueOf(new long[] {0, 0}));
                heard.get(rank).set(rank);
            }
            final int rounds = new DisseminationPattern(0, size).rounds();
            assertTrue(1 << rounds >= size && (rounds == 0 || 1 << (rounds - 1) < size), "size=" + size);
            for (int round = 0; round < rounds; round++)
            {
                final List<BitSet> next = new ArrayList<>();
                for (int rank = 0; rank < size; rank++)
                {
                    final int from = new DisseminationPattern(rank, size).from(round);
                    assertEquals(rank, new DisseminationPattern(from, size).to(round));
                    final BitSet both = (BitSet)heard.get(rank).clone();
                    both.or(heard.get(from));
                    next.add(both);
                }
                heard = next;
            }
            for (final BitSet set : heard)
            {
                assertEquals(size, set.cardinality(), "size=" + size);
            }
        }
    }

    @Test
    void shouldReachEachRankOnceInEachTree()
    {
        for (int size = 1; size < MAX_SIZE; size++)
        {
            final int log = new DisseminationPattern(0, size).rounds();
            for (int root = 0; root < size; root++)
            {
                assertTree(new ChainTree(size, root), size, root, size - 1);
                assertTree(KnomialTree.binomial(size, root), size, root, log);
                // A digit has two bits.
                assertTree(new KnomialTree(size, root, 4), size, root, (log + 1) / 2);
            }
            final Tree[] pair = DoubleBinaryTree.pair(size);
            assertTree(pair[0], size, 0, log);
            assertTree(pair[1], size, size % 2 == 0 ? size - 1 : 1 % size, log);
        }
    }

    private static void assertTree(final Tree tree, final int size, final int root, final int maxDepth)
    {
        final int[] timesReached = new int[size];
        for (int rank = 0; rank < size; rank++)
        {
            assertTrue(tree.depth(rank) <= maxDepth, tree + " rank=" + rank + " depth=" + tree.depth(rank));
            for (final int child : tree.children(rank))
            {
                timesReached[child]++;
                assertEquals(rank, tree.parent(child), tree + " child " + child);
            }
        }
        final int[] once = new int[size];
        Arrays.fill(once, 1);
        once[root] = 0;
        assertArrayEquals(once, timesReached, tree.toString());
        assertEquals(Tree.NONE, tree.parent(root));
    }

    @Test
    void shouldReturnChildWithLargestSubtreeFirstWhenBinomialTree()
    {
        assertArrayEquals(new int[] {4, 2, 1}, KnomialTree.binomial(8, 0).children(0));
        assertArrayEquals(new int[] {1, 6, 5}, KnomialTree.binomial(7, 4).children(4));
        assertArrayEquals(new int[] {}, KnomialTree.binomial(8, 0).children(5));
    }

    @Test
    void shouldReturnThreeChildrenPerDigitWhenRadixIsFour()
    {
        assertArrayEquals(new int[] {4, 8, 12, 1, 2, 3}, new KnomialTree(16, 0, 4).children(0));
        assertArrayEquals(new int[] {2, 3}, new KnomialTree(7, 4, 4).children(1));
        assertEquals(3, new KnomialTree(7, 4, 4).span(1));
    }

    /** Every rank receives every other block once, after it has been sent; a slot holds one node at a time. */
    @Test
    void shouldDeliverEachBlockOnceWhenAggregatedTrees()
    {
        for (int size = 2; size < MAX_SIZE; size++)
        {
            for (int aggregation = 1; aggregation <= 2 * size; aggregation *= 2)
            {
                final AggregatedTrees trees = new AggregatedTrees(size, aggregation);
                final Map<Long, Integer> places = new HashMap<>(Map.of(0L, 0));
                final Set<Integer> arrived = new HashSet<>(Set.of(0));
                for (final AggregatedTrees.Run run : trees.runs())
                {
                    for (int i = 0; i < run.count(); i++)
                    {
                        final int from = trees.offset(run.node(), run.position() + i);
                        final int to = trees.offset(run.toNode(), run.toPosition() + i);
                        assertEquals(from + run.distance(), to);
                        assertEquals(from, places.get(place(run.slot(), run.position() + i)));
                        places.put(place(run.toSlot(), run.toPosition() + i), to);
                        assertTrue(to < size && arrived.add(to), "size=" + size + " offset=" + to);
                    }
                    assertTrue(run.slot() < trees.slots() && run.toSlot() < trees.slots());
                }
                assertEquals(size, arrived.size());
            }
        }
    }

    private static long place(final int slot, final int position)
    {
        return ((long)slot << 32) | position;
    }

    @Test
    void shouldHaveAtMostOneCommonLeafWhenDoubleBinaryTree()
    {
        for (int size = 3; size < MAX_SIZE; size++)
        {
            final Tree[] pair = DoubleBinaryTree.pair(size);
            int leavesOfBoth = 0;
            for (int rank = 0; rank < size; rank++)
            {
                assertTrue(pair[0].children(rank).length <= 2 && pair[1].children(rank).length <= 2);
                leavesOfBoth += pair[0].children(rank).length + pair[1].children(rank).length == 0 ? 1 : 0;
            }
            assertTrue(leavesOfBoth <= 1, "size=" + size + " leaves of both: " + leavesOfBoth);
        }
    }
}
