/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** All pairs of awkward values with their indices, both ways round, against a comparison written out. */
class PairLoopTest
{
    private static final double[] VALUES =
    {
        Double.NaN, Double.NEGATIVE_INFINITY, -1.5, -0.0, 0.0, 2.0, Double.POSITIVE_INFINITY
    };

    @Test
    void shouldPreferNanThenValueThenSmallerIndex()
    {
        for (final ReduceOp op : new ReduceOp[] {ReduceOp.MINLOC, ReduceOp.MAXLOC})
        {
            for (final double a : VALUES)
            {
                for (final double b : VALUES)
                {
                    for (final int index : new int[] {-3, 4, 5})
                    {
                        checkFloats(op, (float)a, 4, (float)b, index);
                        checkDoubles(op, a, 4, b, index);
                        checkInts(op, (int)a, 4, (int)b, index);
                        checkLongs(op, (long)a, 4, (long)b, index);
                    }
                }
            }
        }
    }

    private static boolean isFirst(final ReduceOp op, final double a, final int i, final double b, final int j)
    {
        final boolean max = op.equals(ReduceOp.MAXLOC);
        if (Double.isNaN(a) || Double.isNaN(b))
        {
            return Double.isNaN(a) && (!Double.isNaN(b) || i <= j);
        }
        final int order = Double.compare(a, b);
        return order == 0 ? i <= j : max == order > 0;
    }

    private static void checkFloats(final ReduceOp op, final float a, final int i, final float b, final int j)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(24, 8);
            memory.set(JAVA_FLOAT, 0, Float.isNaN(a) ? Float.intBitsToFloat(0xFFC0_0001) : a);
            memory.set(JAVA_INT, 4, i);
            memory.set(JAVA_FLOAT, 8, b);
            memory.set(JAVA_INT, 12, j);
            reduce(DataType.FLOAT32_INT32, op, memory, 8);
            final boolean first = isFirst(op, a, i, b, j);
            assertEquals(Float.floatToIntBits(first ? a : b), memory.get(JAVA_INT, 16), op + " " + a + " " + b);
            assertEquals(first ? i : j, memory.get(JAVA_INT, 20), op + " " + a + " " + b);
        }
    }

    private static void checkDoubles(final ReduceOp op, final double a, final int i, final double b, final int j)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(48, 8);
            memory.set(JAVA_DOUBLE, 0, a);
            memory.set(JAVA_LONG, 8, i);
            memory.set(JAVA_DOUBLE, 16, b);
            memory.set(JAVA_LONG, 24, j);
            reduce(DataType.FLOAT64_INT64, op, memory, 16);
            final boolean first = isFirst(op, a, i, b, j);
            assertEquals(Double.doubleToLongBits(first ? a : b), memory.get(JAVA_LONG, 32), op + " " + a + " " + b);
            assertEquals(first ? i : j, memory.get(JAVA_LONG, 40), op + " " + a + " " + b);
        }
    }

    private static void checkInts(final ReduceOp op, final int a, final int i, final int b, final int j)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(24, 8);
            memory.set(JAVA_INT, 0, a);
            memory.set(JAVA_INT, 4, i);
            memory.set(JAVA_INT, 8, b);
            memory.set(JAVA_INT, 12, j);
            reduce(DataType.INT32_INT32, op, memory, 8);
            final boolean first = isFirst(op, a, i, b, j);
            assertEquals(first ? a : b, memory.get(JAVA_INT, 16), op + " " + a + " " + b);
            assertEquals(first ? i : j, memory.get(JAVA_INT, 20), op + " " + a + " " + b);
        }
    }

    private static void checkLongs(final ReduceOp op, final long a, final int i, final long b, final int j)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment memory = arena.allocate(48, 8);
            memory.set(JAVA_LONG, 0, a);
            memory.set(JAVA_LONG, 8, i);
            memory.set(JAVA_LONG, 16, b);
            memory.set(JAVA_LONG, 24, j);
            reduce(DataType.INT64_INT64, op, memory, 16);
            final boolean first = isFirst(op, (double)a, i, (double)b, j);
            assertEquals(first ? a : b, memory.get(JAVA_LONG, 32), op + " " + a + " " + b);
            assertEquals(first ? i : j, memory.get(JAVA_LONG, 40), op + " " + a + " " + b);
        }
    }

    private static void reduce(final DataType type, final ReduceOp op, final MemorySegment memory, final int size)
    {
        final long address = memory.address();
        Reducers.of(type, op).reduce(address, address + size, address + 2L * size, 1);
    }
}
