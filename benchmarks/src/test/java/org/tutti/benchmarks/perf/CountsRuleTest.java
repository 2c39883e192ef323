/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CountsRuleTest
{
    @Test
    void shouldMakeBlocksThatDifferByAtMostOneWhenEven()
    {
        assertArrayEquals(new long[] {3, 3, 2}, CountsRule.EVEN.lengths(8, 3, 0));
        assertArrayEquals(new long[] {1, 0, 0}, CountsRule.EVEN.lengths(1, 3, 0));
        assertArrayEquals(new long[] {2, 3, 3}, CountsRule.EVEN.lengths(8, 3, 2));
    }

    @Test
    void shouldMakeBlocksThatGrowByRankWhenLinear()
    {
        assertArrayEquals(new long[] {10, 20, 30, 40}, CountsRule.LINEAR.lengths(100, 4, 0));
        assertArrayEquals(new long[] {30, 40, 10, 20}, CountsRule.LINEAR.lengths(100, 4, 2));
        assertArrayEquals(new long[] {7}, CountsRule.LINEAR.lengths(7, 1, 0));
        assertArrayEquals(new long[] {0, 0, 1}, CountsRule.LINEAR.lengths(1, 3, 0));
    }

    @ParameterizedTest
    @EnumSource(CountsRule.class)
    void shouldMakeBlocksThatAddUpToTheSize(final CountsRule rule)
    {
        for (final int ranks : new int[] {1, 2, 3, 8, 17, 16_384})
        {
            for (final long count : new long[] {0, 1, 16, 1_000_003, 1L << 50})
            {
                final long[] lengths = rule.lengths(count, ranks, ranks / 2);

                assertEquals(count, Arrays.stream(lengths).sum(), ranks + " ranks");
                assertTrue(Arrays.stream(lengths).allMatch(length -> length >= 0), count + " on " + ranks + " ranks");
            }
        }
    }

    /** Required by an in-place alltoallv. */
    @ParameterizedTest
    @EnumSource(CountsRule.class)
    void shouldSendAndReceiveEqualLengthsPerPeer(final CountsRule rule)
    {
        for (int from = 0; from < 5; from++)
        {
            for (int to = 0; to < 5; to++)
            {
                assertEquals(rule.lengths(103, 5, from)[to], rule.lengths(103, 5, to)[from]);
            }
        }
    }
}
