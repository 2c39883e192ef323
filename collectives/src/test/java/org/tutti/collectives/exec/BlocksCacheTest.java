/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.pattern.Blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

class BlocksCacheTest
{
    private static final int LENGTHS = 25;
    private static final int CACHES = 1000;

    private final BlocksCache cache = new BlocksCache();

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 7, 8, 64})
    void shouldKeepListsOfManyLengths(final int ranks)
    {
        final List<long[]> lists = new ArrayList<>();
        for (int i = 0; i < LENGTHS; i++)
        {
            final long length = 1L << i;
            lists.add(IntStream.range(0, ranks).mapToLong(rank -> length * (rank + 1)).toArray());
            lists.add(IntStream.range(0, ranks).mapToLong(rank -> length * (ranks - rank)).toArray());
        }
        final List<Blocks> kept = all(cache, lists);

        assertSameElements(kept, all(cache, lists));
    }

    @Test
    void shouldKeepAsManyListsAsTheWaysOfASetWhateverTheirLengths()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        final Random random = new Random(seed);
        for (int i = 0; i < CACHES; i++)
        {
            final BlocksCache each = new BlocksCache();
            final int ranks = 1 + random.nextInt(9);
            final List<long[]> lists = new ArrayList<>();
            for (int list = 0; list < BlocksCache.WAYS; list++)
            {
                lists.add(random.longs(ranks, 0, 1L << random.nextInt(1, 40)).toArray());
            }
            final List<Blocks> kept = all(each, lists);

            assertSameElements(kept, all(each, lists));
        }
    }

    @Test
    void shouldReturnBlocksOfOffsets()
    {
        final long[] lengths = {5, 5};
        final Blocks contiguous = cache.of("counts", lengths, null, 2);
        final Blocks apart = cache.of("counts", lengths, new long[] {0, 8}, 2);

        assertNotEquals(contiguous, apart);
        assertEquals(13, apart.extent());
        assertSame(apart, cache.of("counts", lengths, new long[] {0, 8}, 2));
        assertSame(contiguous, cache.of("counts", lengths, null, 2));
    }

    @Test
    void shouldReturnBlocksOfChangedLengths()
    {
        final long[] lengths = {5, 6};
        cache.of("counts", lengths, null, 2);
        lengths[0] = 7;

        assertEquals(Blocks.of(7, 6), cache.of("counts", lengths, null, 2));
    }

    private static List<Blocks> all(final BlocksCache cache, final List<long[]> lists)
    {
        return lists.stream().map(list -> cache.of("counts", list, null, list.length)).toList();
    }

    private static void assertSameElements(final List<Blocks> expected, final List<Blocks> actual)
    {
        for (int i = 0; i < expected.size(); i++)
        {
            assertSame(expected.get(i), actual.get(i));
        }
    }
}
