/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReductionOrderTest
{
    private static String result(final ReductionOrder order, final int size)
    {
        final String[] blocks = new String[size];
        for (int rank = 0; rank < size; rank++)
        {
            blocks[rank] = Integer.toString(rank);
        }
        for (int step = 0; step < order.count(); step++)
        {
            blocks[order.into(step)] = "(" + blocks[order.into(step)] + "+" + blocks[order.from(step)] + ")";
        }
        return blocks[order.result()];
    }

    /** The orders were derived by hand from the messages of LightGBM's network. */
    @ParameterizedTest
    @CsvSource({
        "2, 0, (0+1)",
        "2, 1, (1+0)",
        "4, 0, ((0+2)+(1+3))",
        "4, 2, ((2+0)+(3+1))",
        "4, 3, ((3+1)+(2+0))",
        "3, 0, (0+(1+2))",
        "3, 1, ((1+2)+0)",
        "3, 2, ((1+2)+0)",
        "6, 1, ((1+(4+5))+(0+(2+3)))",
        "6, 3, (((2+3)+0)+((4+5)+1))",
    })
    void shouldFollowRecursiveHalving(final int size, final int rank, final String expected)
    {
        assertEquals(expected, result(ReductionOrder.halving(rank, size), size));
    }

    @ParameterizedTest
    @CsvSource({"3, 0, (0+(2+1))", "3, 2, (2+(1+0))", "5, 3, (3+(2+(1+(0+4))))"})
    void shouldFollowRing(final int size, final int rank, final String expected)
    {
        assertEquals(expected, result(ReductionOrder.ring(rank, size), size));
    }

    @Test
    void shouldCombineTheBlockOfEachRankOnce()
    {
        for (int size = 1; size <= 65; size++)
        {
            for (int rank = 0; rank < size; rank++)
            {
                requireAll(ReductionOrder.halving(rank, size), size);
                requireAll(ReductionOrder.ring(rank, size), size);
            }
        }
    }

    private static void requireAll(final ReductionOrder order, final int size)
    {
        final Set<Integer> read = new HashSet<>();
        for (int step = 0; step < order.count(); step++)
        {
            assertTrue(!read.contains(order.into(step)), () -> "of " + size + ": a block is written after it is read");
            assertTrue(read.add(order.from(step)), () -> "of " + size + ": a block is read twice");
        }
        assertEquals(size - 1, read.size());
        assertTrue(!read.contains(order.result()));
    }
}
