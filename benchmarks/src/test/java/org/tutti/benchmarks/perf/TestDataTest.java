/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.reduce.Reducer;
import org.tutti.collectives.reduce.Reducers;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TestDataTest
{
    private static final int COUNT = 1_001;
    private static final int FLIPS = Boolean.getBoolean("tutti.test.torture") ? 50 : 10;

    static Stream<TestData> data()
    {
        return Stream.of(DataType.values()).flatMap(type -> Stream.of(ReduceOp.values())
            .filter(op -> PerfConfig.isDefined(op, type)).flatMap(op ->
            IntStream.of(1, 2, 5, 40).mapToObj(ranks -> new TestData(type, op, ranks, 0, ranks))));
    }

    @ParameterizedTest
    @MethodSource("data")
    void shouldAcceptAnyReductionOrderAndDetectFlippedBit(final TestData data)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment result = reduceBackwards(data, arena);
            assertEquals(0, data.countWrong(result, COUNT));

            final long seed = System.nanoTime();
            final Random random = new Random(seed);
            for (int i = 0; i < FLIPS; i++)
            {
                final long offset = random.nextLong(result.byteSize());
                final byte before = result.get(JAVA_BYTE, offset);
                result.set(JAVA_BYTE, offset, (byte)(before ^ 1 << random.nextInt(8)));
                assertEquals(1, data.countWrong(result, COUNT), "seed=" + seed + " offset=" + offset);
                result.set(JAVA_BYTE, offset, before);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("data")
    void shouldDetectUnwrittenElements(final TestData data)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment result = arena.allocate((long)COUNT * data.type().size());
            data.poison(result, COUNT);
            assertEquals(COUNT, data.countWrong(result, COUNT));
        }
    }

    @Test
    void shouldVaryByRankAndIndex()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final TestData data = new TestData(DataType.INT64, ReduceOp.SUM, 2, 0, 2);
            final MemorySegment first = arena.allocate(8L * COUNT);
            final MemorySegment second = arena.allocate(8L * COUNT);
            data.fill(first, COUNT, 0);
            data.fill(second, COUNT, 1);

            assertEquals(0, new TestData(DataType.INT64, ReduceOp.SUM, 2, 0, 1).countWrong(first, COUNT));
            assertEquals(COUNT, new TestData(DataType.INT64, ReduceOp.SUM, 2, 0, 1).countWrong(second, COUNT));
        }
    }

    @Test
    void shouldNotOverflowFloatProductsOfManyRanks()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment result =
                reduceBackwards(new TestData(DataType.FLOAT32, ReduceOp.PROD, 500, 0, 500), arena);
            for (int i = 0; i < COUNT; i++)
            {
                final float value = Math.abs(result.get(JAVA_FLOAT_UNALIGNED, 4L * i));
                assertTrue(value >= Float.MIN_NORMAL && value <= Float.MAX_VALUE, () -> "value=" + value);
            }
        }
    }

    private static MemorySegment reduceBackwards(final TestData data, final Arena arena)
    {
        final Reducer reducer = Reducers.of(data.type(), data.op());
        final MemorySegment result = arena.allocate((long)COUNT * data.type().size(), 64);
        final MemorySegment next = arena.allocate((long)COUNT * data.type().size(), 64);
        data.fill(result, COUNT, data.ranks() - 1);
        for (int rank = data.ranks() - 2; rank >= 0; rank--)
        {
            data.fill(next, COUNT, rank);
            if (rank > 0)
            {
                reducer.reduce(result.address(), next.address(), result.address(), COUNT);
            }
            else
            {
                reducer.reduceAndFinish(
                    result.address(), next.address(), result.address(), COUNT, data.ranks());
            }
        }
        return result;
    }
}
