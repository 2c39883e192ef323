/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.bootstrap.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;

import org.junit.jupiter.api.Test;

class RankListTest
{
    @Test
    void shouldFormatConsecutiveRanksAsRanges()
    {
        assertEquals("none", RankList.format(ranks()));
        assertEquals("2", RankList.format(ranks(2)));
        assertEquals("2, 3", RankList.format(ranks(2, 3)));
        assertEquals("3, 7-15", RankList.format(ranks(3, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
    }

    @Test
    void shouldOnlyCountRanksAfterFirstRanges()
    {
        final BitSet even = new BitSet();
        for (int rank = 0; rank < 50; rank += 2)
        {
            even.set(rank);
        }

        assertEquals("0, 2, 4, 6, 8, 10, 12, 14 and 17 more", RankList.format(even));
    }

    private static BitSet ranks(final int... ranks)
    {
        final BitSet set = new BitSet();
        for (final int rank : ranks)
        {
            set.set(rank);
        }
        return set;
    }
}
