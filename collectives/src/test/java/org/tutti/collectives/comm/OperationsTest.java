/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.SegmentOperator;
import org.tutti.collectives.algorithm.Algorithms;
import org.tutti.collectives.schedule.Collective;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Premultiplied, location and user-defined operations with every algorithm. */
class OperationsTest
{
    private static final long[] COUNTS = {0, 1, 2, 3, 7, 100, 5_000};

    /** A map from x to {@code factor * x + offset}: composition is associative, but not commutative. */
    private static final DataType MAP = DataType.opaque("affine", 2 * Long.BYTES);

    record World(String algorithm, int size)
    {
        Ranks ranks()
        {
            return new Ranks(size, Map.of("TUTTI_ALGORITHM", "allreduce:0-:" + algorithm));
        }
    }

    static Stream<World> worlds()
    {
        // AlgorithmsProofTest proves for more sizes that each input enters the result once, and in which order.
        final List<Integer> sizes =
            Boolean.getBoolean("tutti.test.torture") ? List.of(1, 2, 3, 4, 5, 6, 7) : List.of(1, 2, 3, 5);
        return Algorithms.of(Collective.ALLREDUCE).stream().flatMap(
            algorithm -> sizes.stream().map(size -> new World(algorithm.name(), size)));
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldScaleEveryInputOnce(final World world)
    {
        try (Ranks ranks = world.ranks())
        {
            ranks.run(communicator ->
            {
                for (final DataType type : List.of(DataType.FLOAT32, DataType.UINT8, DataType.BFLOAT16))
                {
                    for (final long count : COUNTS)
                    {
                        checkScaled(communicator, type, count, false);
                        checkScaled(communicator, type, count, true);
                    }
                }
            });
        }
    }

    private static void checkScaled(
        final Communicator communicator, final DataType type, final long count, final boolean inPlace)
    {
        try (DataBuffer input = communicator.allocate(type, count);
            DataBuffer output = communicator.allocate(type, count))
        {
            for (long i = 0; i < count; i++)
            {
                Reference.set(input.segment(), type, i, (communicator.rank() + i) % 4);
            }
            if (inPlace)
            {
                communicator.allreduce(input, ReduceOp.premulSum(3));
            }
            else
            {
                communicator.allreduce(input, output, ReduceOp.premulSum(3));
            }
            for (long i = 0; i < count; i++)
            {
                long sum = 0;
                for (int rank = 0; rank < communicator.size(); rank++)
                {
                    sum += 3 * ((rank + i) % 4);
                }
                assertEquals((double)sum, Reference.get((inPlace ? input : output).segment(), type, i));
                if (!inPlace)
                {
                    assertEquals((double)((communicator.rank() + i) % 4), Reference.get(input.segment(), type, i));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldLocateMinimumAndMaximum(final World world)
    {
        try (Ranks ranks = world.ranks())
        {
            ranks.run(communicator ->
            {
                for (final long count : COUNTS)
                {
                    checkLocated(communicator, ReduceOp.MINLOC, count);
                    checkLocated(communicator, ReduceOp.MAXLOC, count);
                }
            });
        }
    }

    /** Values repeat every five ranks, so that ties must resolve to the lower index. */
    private static void checkLocated(final Communicator communicator, final ReduceOp op, final long count)
    {
        try (DataBuffer buffer = communicator.allocate(DataType.FLOAT32_INT32, count))
        {
            final MemorySegment pairs = buffer.segment();
            for (long i = 0; i < count; i++)
            {
                Elements.setDouble(DataType.FLOAT32, pairs, 8 * i, (communicator.rank() * 3L + i) % 5 - 2.5);
                pairs.set(JAVA_INT_UNALIGNED, 8 * i + 4, communicator.rank());
            }
            communicator.allreduce(buffer, op);
            for (long i = 0; i < count; i++)
            {
                int best = 0;
                for (int rank = 1; rank < communicator.size(); rank++)
                {
                    final long difference = (rank * 3L + i) % 5 - (best * 3L + i) % 5;
                    best = (op.equals(ReduceOp.MINLOC) ? difference < 0 : difference > 0) ? rank : best;
                }
                if (best != pairs.get(JAVA_INT_UNALIGNED, 8 * i + 4))
                {
                    assertEquals(best, pairs.get(JAVA_INT_UNALIGNED, 8 * i + 4), op + " " + i);
                }
                assertEquals((best * 3L + i) % 5 - 2.5, Elements.getDouble(DataType.FLOAT32, pairs, 8 * i));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldCombineInRankOrderWhenNonCommutative(final World world)
    {
        final ReduceOp op = ReduceOp.ofSegments("then", composition()).nonCommutative();
        try (Ranks ranks = world.ranks())
        {
            ranks.run(communicator ->
            {
                for (final long count : COUNTS)
                {
                    checkComposed(communicator, op, count);
                }
            });
        }
    }

    private static SegmentOperator composition()
    {
        return (left, right, results, count) ->
        {
            for (long offset = 0; offset < count * MAP.size(); offset += MAP.size())
            {
                final long factor = left.get(JAVA_LONG_UNALIGNED, offset);
                final long added = left.get(JAVA_LONG_UNALIGNED, offset + 8);
                final long nextFactor = right.get(JAVA_LONG_UNALIGNED, offset);
                final long nextAdded = right.get(JAVA_LONG_UNALIGNED, offset + 8);
                results.set(JAVA_LONG_UNALIGNED, offset, factor * nextFactor);
                results.set(JAVA_LONG_UNALIGNED, offset + 8, added * nextFactor + nextAdded);
            }
        };
    }

    private static void checkComposed(final Communicator communicator, final ReduceOp op, final long count)
    {
        try (DataBuffer buffer = communicator.allocate(MAP, count))
        {
            for (long i = 0; i < count; i++)
            {
                buffer.segment().set(JAVA_LONG_UNALIGNED, 16 * i, 2 + communicator.rank() + i);
                buffer.segment().set(JAVA_LONG_UNALIGNED, 16 * i + 8, 7 * i - communicator.rank());
            }
            communicator.allreduce(buffer, op);
            for (long i = 0; i < count; i++)
            {
                long factor = 1;
                long added = 0;
                for (int rank = 0; rank < communicator.size(); rank++)
                {
                    factor *= 2 + rank + i;
                    added = added * (2 + rank + i) + 7 * i - rank;
                }
                assertEquals(factor, buffer.segment().get(JAVA_LONG_UNALIGNED, 16 * i));
                assertEquals(added, buffer.segment().get(JAVA_LONG_UNALIGNED, 16 * i + 8));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("worlds")
    void shouldApplyUserDefinedOperationsToEveryElement(final World world)
    {
        final ReduceOp gcd = ReduceOp.ofLongs("gcd", OperationsTest::gcd);
        final ReduceOp hypot = ReduceOp.ofDoubles("hypot", Math::hypot);
        try (Ranks ranks = world.ranks())
        {
            ranks.run(communicator ->
            {
                final long[] numbers = new long[5000];
                final float[] sides = new float[5000];
                for (int i = 0; i < numbers.length; i++)
                {
                    numbers[i] = (i + 1L) * (communicator.rank() + 1) * 6;
                    sides[i] = i % 10;
                }
                communicator.allreduce(numbers, gcd);
                communicator.allreduce(sides, hypot);
                for (int i = 0; i < numbers.length; i++)
                {
                    assertEquals((i + 1L) * 6, numbers[i]);
                    assertEquals(i % 10 * Math.sqrt(communicator.size()), sides[i], 1e-5 * (i % 10));
                }
            });
        }
    }

    private static long gcd(final long a, final long b)
    {
        return b == 0 ? a : gcd(b, a % b);
    }

    @Test
    void shouldNameTheTypesWhenAnOperationIsNotDefined()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                refused(communicator, ReduceOp.BAND, "band is not defined on FLOAT32: it takes integers");
                refused(communicator, ReduceOp.MINLOC, "minloc is not defined on FLOAT32: " +
                    "it takes pairs of a value and an index, such as FLOAT32_INT32");
                refused(communicator, ReduceOp.ofLongs("gcd", OperationsTest::gcd),
                    "gcd is not defined on FLOAT32: it takes integers; ReduceOp.ofSegments takes all types");
                final IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> communicator.allreduce(new int[2], ReduceOp.premulSum(0.5)));
                assertEquals("op=premul_sum(0.5) is not defined on INT32: it takes an integral scale up to 2^53 " +
                    "on integers, not negative on unsigned ones", e.getMessage());
                communicator.allreduce(new float[2], ReduceOp.SUM);
            });
        }
    }

    private static void refused(final Communicator communicator, final ReduceOp op, final String message)
    {
        assertEquals("op=" + message, assertThrows(
            IllegalArgumentException.class, () -> communicator.allreduce(new float[2], op)).getMessage());
    }

    @Test
    void shouldReportMismatchWhenScalesOrNamesDiffer()
    {
        disagree(ReduceOp.premulSum(0.5), ReduceOp.premulSum(0.25), "premul_sum(0.25)");
        assertEquals("name=sum: is the name of a built-in operation; ranks compare operations by name, so choose " +
            "another name", assertThrows(
            IllegalArgumentException.class, () -> ReduceOp.ofDoubles("sum", Math::hypot)).getMessage());
        disagree(ReduceOp.ofDoubles("left", (a, b) -> a), ReduceOp.ofDoubles("right", (a, b) -> b), "right");
        disagree(ReduceOp.BAND, ReduceOp.LAND, DataType.INT32, DataType.INT32, "land");
        disagree(ReduceOp.SUM, ReduceOp.SUM, DataType.BFLOAT16, DataType.FLOAT16, "half");
    }

    private static void disagree(final ReduceOp first, final ReduceOp second, final String named)
    {
        disagree(first, second, DataType.FLOAT32, DataType.FLOAT32, named);
    }

    private static void disagree(
        final ReduceOp first, final ReduceOp second, final DataType firstType, final DataType secondType,
        final String named)
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final boolean isFirst = communicator.rank() == 0;
                try (DataBuffer buffer = communicator.allocate(isFirst ? firstType : secondType, 10))
                {
                    communicator.allreduce(buffer, isFirst ? first : second);
                }
            });
            for (final Throwable failure : thrown)
            {
                assertNotNull(failure);
                assertTrue(failure.getMessage().contains(named), failure.getMessage());
            }
        }
    }
}
