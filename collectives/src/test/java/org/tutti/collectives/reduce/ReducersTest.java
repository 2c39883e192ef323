/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every type and operation, of both implementations, against the definition written out element by element. */
class ReducersTest
{
    private static final long SEED = Long.getLong("tutti.test.seed", System.nanoTime());
    private static final long GUARD = 0x5A5A_5A5A_5A5A_5A5AL;

    record Kernel(String name, DataType type, ReduceOp op, Reducer reducer)
    {
        @Override
        public String toString()
        {
            return name + " " + type + " " + op + ", -Dtutti.test.seed=" + SEED;
        }
    }

    static Stream<Kernel> kernels()
    {
        return Stream.of(DataType.values()).flatMap(type -> Stream.of(ReduceOp.values()).flatMap(op -> Stream.of(
            new Kernel("vector", type, op, VectorReducers.of(type, op)),
            new Kernel("plain", type, op, PlainReducers.of(type, op)))));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceEveryCountUpToSeveralVectors(final Kernel kernel)
    {
        for (int count = 0; count <= 130; count++)
        {
            check(kernel, count, 1 + count % 9, Aliasing.values()[count % 3], 0);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceCountsAroundBlocks(final Kernel kernel)
    {
        final int block = BlockReducer.BLOCK_LENGTH / kernel.type().size();
        check(kernel, block - 1, 2, Aliasing.LEFT, 1);
        check(kernel, block, 3, Aliasing.NONE, 0);
        check(kernel, block + 1, 4, Aliasing.RIGHT, 3);
        check(kernel, 2 * block + 3, 7, Aliasing.NONE, 2);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceMemoryThatIsAlignedToItsElementsOnly(final Kernel kernel)
    {
        for (int misalignment = 1; misalignment <= 16; misalignment++)
        {
            check(kernel, 77, 5, Aliasing.values()[misalignment % 3], misalignment);
        }
    }

    @Test
    void shouldTruncateIntegerAveragesTowardZero()
    {
        for (final Kernel kernel : kernels().toList())
        {
            if (kernel.op() != ReduceOp.AVG || Reference.floating(kernel.type()))
            {
                continue;
            }
            try (Arena arena = Arena.ofConfined())
            {
                final int count = 67;
                final MemorySegment left = arena.allocate(8 * count, 8);
                final MemorySegment right = arena.allocate(8 * count, 8);
                for (int i = 0; i < count; i++)
                {
                    Reference.set(kernel.type(), left, i, -7);
                    Reference.set(kernel.type(), right, i, i % 2 == 0 ? 0 : 14);
                }

                kernel.reducer().reduceAndFinish(left.address(), right.address(), left.address(), count, 2);

                for (int i = 0; i < count; i++)
                {
                    assertEquals(i % 2 == 0 ? -3 : 3, Reference.get(kernel.type(), left, i), kernel.toString());
                }
            }
        }
    }

    @Test
    void shouldChooseVectorsWhenTheirModuleIsThere()
    {
        assertTrue(Reducers.vectorised());
        for (final DataType type : DataType.values())
        {
            for (final ReduceOp op : ReduceOp.values())
            {
                assertEquals(VectorReducers.of(type, op).getClass(), Reducers.of(type, op).getClass());
            }
        }
    }

    private enum Aliasing
    {
        NONE, LEFT, RIGHT
    }

    private static void check(
        final Kernel kernel, final int count, final int ranks, final Aliasing aliasing, final int misalignment)
    {
        final DataType type = kernel.type();
        final Random random = new Random(SEED + count);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment left = allocate(arena, type, count, misalignment);
            final MemorySegment right = allocate(arena, type, count, 2 * misalignment);
            final MemorySegment dst = switch (aliasing)
            {
                case NONE -> allocate(arena, type, count, 3 * misalignment);
                case LEFT -> left;
                case RIGHT -> right;
            };
            for (final boolean finish : new boolean[] { false, true })
            {
                final long[] leftBits = Reference.fill(type, left, count, random);
                final long[] rightBits = Reference.fill(type, right, count, random);
                Reference.set(type, dst, count, GUARD);

                if (finish)
                {
                    kernel.reducer().reduceAndFinish(left.address(), right.address(), dst.address(), count, ranks);
                }
                else
                {
                    kernel.reducer().reduce(left.address(), right.address(), dst.address(), count);
                }

                final int divisor = finish ? ranks : 1;
                for (int i = 0; i < count; i++)
                {
                    final long expected = Reference.apply(type, kernel.op(), leftBits[i], rightBits[i], divisor);
                    final long actual = Reference.get(type, dst, i);
                    if (expected != actual)
                    {
                        assertEquals(Long.toHexString(expected), Long.toHexString(actual),
                            kernel + " i=" + i + " count=" + count + " ranks=" + ranks + " finish=" + finish +
                                " left=" + Long.toHexString(leftBits[i]) + " right=" + Long.toHexString(rightBits[i]));
                    }
                }
                final long guard = type.size() == Integer.BYTES ? (int)GUARD : GUARD;
                assertEquals(guard, Reference.raw(type, dst, count), kernel + " wrote beyond the end");
            }
        }
    }

    private static MemorySegment allocate(
        final Arena arena, final DataType type, final int count, final int misalignment)
    {
        final long offset = (long)misalignment * type.size();
        return arena.allocate(offset + (count + 1L) * type.size(), 64).asSlice(offset);
    }
}
