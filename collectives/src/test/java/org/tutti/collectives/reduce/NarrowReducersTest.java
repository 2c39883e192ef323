/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.NarrowFloat;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares reducers of binary16s and of 8-bit floats, bit by bit, with their definition, {@link NarrowMath}. */
class NarrowReducersTest
{
    private static final long SEED = Long.getLong("tutti.test.seed", System.nanoTime());
    private static final byte GUARD = 0x5A;
    private static final int ALL = 1 << 16;
    /** For {@link Reducer#reduce}, which has no number of ranks. */
    private static final int NOT_LAST = 0;
    /** Some numbers occur again after others: what is cached for a number must belong to it. */
    private static final int[] RANKS = { NOT_LAST, 3, 1, 2, 7, 3, 1000, 2, NOT_LAST };
    /** Of each sign: zero, numbers below and above the least normal one, one, the greatest, infinity, NaNs. */
    private static final int[] HALVES =
    {
        0x0000, 0x0001, 0x03FF, 0x0400, 0x0401, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7C01, 0x7DFF, 0x7E00, 0x7FFF
    };

    record Kernel(DataType type, ReduceOp op, NarrowMath math, Reducer reducer)
    {
        static Kernel of(final DataType type, final ReduceOp op)
        {
            return new Kernel(type, op,
                new NarrowMath(
                    NarrowFloat.of(type), FloatingMath.ofFloats(op.kind()), op.kind() == ReduceOp.Kind.AVG),
                PlainReducers.of(type, op.kind()));
        }

        int expected(final long left, final long right, final int ranks)
        {
            return ranks == NOT_LAST ? math.combine((int)left, (int)right) :
                math.finish((int)left, (int)right, ranks);
        }

        void reduce(
            final MemorySegment left,
            final MemorySegment right,
            final MemorySegment dst,
            final int count,
            final int ranks)
        {
            if (ranks == NOT_LAST)
            {
                reducer.reduce(left.address(), right.address(), dst.address(), count);
            }
            else
            {
                reducer.reduceAndFinish(left.address(), right.address(), dst.address(), count, ranks);
            }
        }

        @Override
        public String toString()
        {
            return type + " " + op + ", -Dtutti.test.seed=" + SEED;
        }
    }

    static Stream<Kernel> halves()
    {
        return kernels(DataType.FLOAT16);
    }

    static Stream<Kernel> bytes()
    {
        return Stream.of(DataType.FLOAT8_E4M3, DataType.FLOAT8_E5M2).flatMap(NarrowReducersTest::kernels);
    }

    private static Stream<Kernel> kernels(final DataType type)
    {
        return Stream.of(ReduceOp.values()).filter(op -> ReducersTest.isDefined(op, type))
            .map(op -> Kernel.of(type, op));
    }

    @ParameterizedTest
    @MethodSource("bytes")
    void shouldReduceAllPairsOfBytesWhenAnyNumberOfRanks(final Kernel kernel)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment left = arena.allocate(ALL);
            final MemorySegment right = arena.allocate(ALL);
            final MemorySegment dst = arena.allocate(ALL);
            for (int i = 0; i < ALL; i++)
            {
                ReferenceReducer.set(kernel.type(), left, i, i >>> Byte.SIZE);
                ReferenceReducer.set(kernel.type(), right, i, i);
            }
            for (final int ranks : RANKS)
            {
                kernel.reduce(left, right, dst, ALL, ranks);

                check(kernel, left, right, dst, ALL, ranks);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("bytes")
    void shouldCreateTablesOnlyOnce(final Kernel kernel)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment one = arena.allocate(1);
            kernel.reduce(one, one, one, 1, 5);
            kernel.reduce(one, one, one, 1, 4);

            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10; i++)
            {
                kernel.reduce(one, one, one, 1, 4 + i % 2);
            }

            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(allocated < ALL, kernel + " allocated " + allocated + " bytes");
        }
    }

    @ParameterizedTest
    @MethodSource("halves")
    void shouldReduceEveryBinary16WithSpecialAndRandomOperands(final Kernel kernel)
    {
        final List<Integer> others = new ArrayList<>();
        for (final int half : HALVES)
        {
            others.add(half);
            others.add(half | 0x8000);
        }
        new Random(SEED).ints(6, 0, ALL).forEach(others::add);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment all = arena.allocate(2L * ALL);
            final MemorySegment other = arena.allocate(2L * ALL);
            final MemorySegment dst = arena.allocate(2L * ALL);
            IntStream.range(0, ALL).forEach(i -> ReferenceReducer.set(kernel.type(), all, i, i));
            for (int round = 0; round < others.size(); round++)
            {
                final int value = others.get(round);
                final int ranks = RANKS[round % RANKS.length];
                IntStream.range(0, ALL).forEach(i -> ReferenceReducer.set(kernel.type(), other, i, value));

                kernel.reduce(all, other, dst, ALL, ranks);
                check(kernel, all, other, dst, ALL, ranks);
                kernel.reduce(other, all, dst, ALL, ranks);
                check(kernel, other, all, dst, ALL, ranks);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("halves")
    void shouldReduceWhenCountIsNearBufferLengthAtAnyAddressAndInPlace(final Kernel kernel)
    {
        final int least = 128;
        final int length = Float16Buffer.LENGTH / Short.BYTES;
        final Random random = new Random(SEED);
        for (final int whole : new int[] { 0, least, length, length + least, 2 * length, 3 * length + least })
        {
            for (int count = Math.max(0, whole - 2); count <= whole + 2; count++)
            {
                for (int aliasing = 0; aliasing < 3; aliasing++)
                {
                    checkCopies(kernel, count, aliasing, random);
                }
            }
        }
    }

    @Test
    void shouldReduceWhenCalledBySeveralThreads() throws Exception
    {
        final Kernel kernel = Kernel.of(DataType.FLOAT16, ReduceOp.SUM);
        final Callable<Void> reductions = () ->
        {
            final Random random = new Random(SEED ^ Thread.currentThread().threadId());
            for (int i = 0; i < 300; i++)
            {
                checkCopies(kernel, 3000, i % 3, random);
            }
            return null;
        };
        try (ExecutorService threads = Executors.newFixedThreadPool(2))
        {
            for (final Future<Void> done : threads.invokeAll(List.of(reductions, reductions)))
            {
                done.get();
            }
        }
    }

    /** Checks random elements, with results in place of the left operands, of the right ones, or in other memory. */
    private static void checkCopies(final Kernel kernel, final int count, final int aliasing, final Random random)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment left = atAnyAddress(arena, count, random);
            final MemorySegment right = atAnyAddress(arena, count, random);
            final MemorySegment dst = List.of(left, right, atAnyAddress(arena, count, random)).get(aliasing);
            for (int i = 0; i < count; i++)
            {
                ReferenceReducer.set(kernel.type(), left, i, random.nextInt());
                ReferenceReducer.set(kernel.type(), right, i, random.nextInt());
            }
            final MemorySegment lefts = arena.allocate(left.byteSize()).copyFrom(left);
            final MemorySegment rights = arena.allocate(right.byteSize()).copyFrom(right);
            final int ranks = random.nextInt(4);

            kernel.reduce(left, right, dst, count, ranks);

            check(kernel, lefts, rights, dst, count, ranks);
            assertEquals(GUARD, dst.get(JAVA_BYTE, dst.byteSize() - 1), kernel + " wrote beyond " + count);
            assertEquals(GUARD, dst.get(JAVA_BYTE, dst.byteSize() - 2), kernel + " wrote beyond " + count);
        }
    }

    /** Allocates one more element than {@code count}, which must not be overwritten. */
    private static MemorySegment atAnyAddress(final Arena arena, final int count, final Random random)
    {
        final int misalignment = random.nextInt(64);
        return arena.allocate(misalignment + Short.BYTES * (count + 1L), 64).asSlice(misalignment).fill(GUARD);
    }

    private static void check(
        final Kernel kernel,
        final MemorySegment left,
        final MemorySegment right,
        final MemorySegment dst,
        final int count,
        final int ranks)
    {
        for (int i = 0; i < count; i++)
        {
            final long first = ReferenceReducer.raw(kernel.type(), left, i);
            final long second = ReferenceReducer.raw(kernel.type(), right, i);
            final long expected = kernel.expected(first, second, ranks);
            final long actual = ReferenceReducer.raw(kernel.type(), dst, i);
            if (expected != actual)
            {
                assertEquals(Long.toHexString(expected), Long.toHexString(actual),
                    kernel + " i=" + i + " count=" + count + " ranks=" + ranks +
                        " left=" + Long.toHexString(first) + " right=" + Long.toHexString(second));
            }
        }
    }
}
