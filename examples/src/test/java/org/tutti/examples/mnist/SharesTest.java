/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.mnist;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

import java.util.Arrays;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SharesTest
{
    @Property
    void shouldAssignEveryItemOnceInSharesThatDifferByAtMostOne(
        @ForAll @IntRange(max = Integer.MAX_VALUE) final int items,
        @ForAll @IntRange(min = 1, max = 300) final int size)
    {
        assertEquals(0, Shares.begin(items, 0, size));
        assertEquals(items, Shares.begin(items, size, size));
        for (int rank = 0; rank < size; rank++)
        {
            final int share = Shares.begin(items, rank + 1, size) - Shares.begin(items, rank, size);
            assertTrue(share == items / size || share == Math.ceilDiv(items, size), "rank " + rank + ": " + share);
        }
    }

    @Property(tries = 200)
    void shouldUseEveryImageOncePerEpoch(
        @ForAll @IntRange(max = 2_000) final int count,
        @ForAll final long seed,
        @ForAll @IntRange(min = 1, max = 1_000) final int epoch)
    {
        final int[] order = Shares.order(count, seed, epoch);

        final int[] sorted = order.clone();
        Arrays.sort(sorted);
        assertArrayEquals(IntStream.range(0, count).toArray(), sorted);
        assertArrayEquals(order, Shares.order(count, seed, epoch));
    }

    @Property(tries = 200)
    void shouldChangeOrderWithEpochAndSeed(@ForAll final long seed)
    {
        final int[] order = Shares.order(100, seed, 1);

        assertFalse(Arrays.equals(order, Shares.order(100, seed, 2)));
        assertFalse(Arrays.equals(order, Shares.order(100, seed + 1, 1)));
    }
}
