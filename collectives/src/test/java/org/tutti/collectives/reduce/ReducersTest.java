/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares both implementations of every type and operation with the definition, element by element. */
class ReducersTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final long SEED = Long.getLong("tutti.test.seed", System.nanoTime());
    private static final long GUARD = 0x5A5A_5A5A_5A5A_5A5AL;
    private static final long PART_LENGTH = 2 * BlockReducer.BLOCK_LENGTH + 4096L;
    private static final MemorySegment MEMORY = Arena.ofAuto().allocate(3 * PART_LENGTH, 64);

    record Kernel(String name, DataType type, ReduceOp op, Reducer reducer)
    {
        @Override
        public String toString()
        {
            return name + " " + type + " " + op + ", -Dtutti.test.seed=" + SEED;
        }
    }

    /** Created once for all tests, because each has its own class, which the JVM compiles. */
    private static final List<Kernel> KERNELS = makeKernels();

    static List<Kernel> kernels()
    {
        return KERNELS;
    }

    /** Both loops of every type, with one operation of each kind: the same code divides the elements into blocks. */
    static List<Kernel> kernelsOfLongCounts()
    {
        return IS_TORTURE ? KERNELS : KERNELS.stream().filter(kernel ->
            List.of(ReduceOp.SUM, ReduceOp.MAX, ReduceOp.AVG, ReduceOp.LAND).contains(kernel.op())).toList();
    }

    private static List<Kernel> makeKernels()
    {
        assertTrue(VectorModule.load());
        return Stream.of(DataType.values()).filter(type -> !type.isPair()).flatMap(type -> Stream.of(ReduceOp.values())
            .filter(op -> isDefined(op, type)).flatMap(op -> makeKernels(type, op)))
            .toList();
    }

    /** The vector loop itself, if there is one: a {@link WarmUpReducer} may use either loop. */
    private static Stream<Kernel> makeKernels(final DataType type, final ReduceOp op)
    {
        final BlockReducer plain = PlainReducers.of(type, op.kind());
        final Stream<Kernel> loops = Stream.of(new Kernel("plain", type, op, plain));
        return !Reducers.hasVectorLoop(type, op.kind()) ? loops : Stream.concat(
            Stream.of(new Kernel("vector", type, op, VectorReducers.loop(type, op.kind(), plain))), loops);
    }

    static boolean isDefined(final ReduceOp op, final DataType type)
    {
        try
        {
            op.requireDefinedOn(type);
            return true;
        }
        catch (final IllegalArgumentException e)
        {
            return false;
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceWhenCountIsUpToSeveralVectors(final Kernel kernel)
    {
        for (int count = 0; count <= 130; count++)
        {
            check(kernel, count, 1 + count % 9, Aliasing.values()[count % 3], 0);
        }
    }

    @ParameterizedTest
    @MethodSource("kernelsOfLongCounts")
    void shouldReduceWhenCountIsCloseToBlockLength(final Kernel kernel)
    {
        final int block = BlockReducer.BLOCK_LENGTH / kernel.type().size();
        check(kernel, block + 1, 4, Aliasing.RIGHT, 3);
        if (IS_TORTURE)
        {
            check(kernel, block, 3, Aliasing.LEFT, 1);
            check(kernel, block - 1, 2, Aliasing.NONE, 0);
            check(kernel, 2 * block + 3, 7, Aliasing.NONE, 2);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceWhenMemoryIsOnlyAlignedToElements(final Kernel kernel)
    {
        for (int misalignment = 1; misalignment <= 16; misalignment++)
        {
            check(kernel, 77, 5, Aliasing.values()[misalignment % 3], misalignment);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void shouldReduceAllPairsWhenElementsAreNarrow(final Kernel kernel)
    {
        final DataType type = kernel.type();
        if (type.size() > Short.BYTES)
        {
            return;
        }
        final int all = 1 << (8 * type.size());
        final Random random = new Random(SEED);
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment left = allocate(arena, type, all, 0);
            final MemorySegment right = allocate(arena, type, all, 0);
            final MemorySegment dst = allocate(arena, type, all, 0);
            for (int i = 0; i < all; i++)
            {
                ReferenceReducer.set(type, left, i, i);
            }
            for (int round = 0; round < (type.size() == Byte.BYTES ? all : 2); round++)
            {
                for (int i = 0; i < all; i++)
                {
                    ReferenceReducer.set(type, right, i, type.size() == Byte.BYTES ? round : random.nextLong());
                }
                kernel.reducer().reduceAndFinish(left.address(), right.address(), dst.address(), all, 3);
                for (int i = 0; i < all; i++)
                {
                    final long other = ReferenceReducer.raw(type, right, i);
                    final long expected = ReferenceReducer.apply(type, kernel.op(), i, other, 3);
                    final long actual = ReferenceReducer.raw(type, dst, i);
                    if (expected != actual)
                    {
                        assertEquals(Long.toHexString(expected), Long.toHexString(actual),
                            kernel + " of " + Long.toHexString(i) + " and " + Long.toHexString(other));
                    }
                }
            }
        }
    }

    @Test
    void shouldTruncateTowardZeroWhenIntegerAverage()
    {
        for (final Kernel kernel : kernels())
        {
            if (!kernel.op().equals(ReduceOp.AVG) || !kernel.type().isSigned())
            {
                continue;
            }
            try (Arena arena = Arena.ofConfined())
            {
                final int count = 67;
                final MemorySegment left = allocate(arena, kernel.type(), count, 0);
                final MemorySegment right = allocate(arena, kernel.type(), count, 0);
                for (int i = 0; i < count; i++)
                {
                    Elements.setLong(kernel.type(), left, (long)i * kernel.type().size(), -7);
                    Elements.setLong(kernel.type(), right, (long)i * kernel.type().size(), i % 2 == 0 ? 0 : 14);
                }

                kernel.reducer().reduceAndFinish(left.address(), right.address(), left.address(), count, 2);

                for (int i = 0; i < count; i++)
                {
                    assertEquals(i % 2 == 0 ? -3 : 3,
                        Elements.getLong(kernel.type(), left, (long)i * kernel.type().size()), kernel.toString());
                }
            }
        }
    }

    @Test
    void shouldSelectVectorLoopOnlyWhenInstructionExists()
    {
        assertTrue(Reducers.vectorised());
        for (final Kernel kernel : kernels())
        {
            final boolean vectors = Reducers.of(kernel.type(), kernel.op()) instanceof WarmUpReducer;
            final DataType type = kernel.type();
            final boolean isWideFloat =
                type.isFloating() && (type.size() > Short.BYTES || type.equals(DataType.BFLOAT16));
            final boolean expected = switch (kernel.op().kind())
            {
                case LAND, LOR, LXOR -> false;
                case AVG -> isWideFloat;
                case PROD -> isWideFloat || (type.isInteger() && type.size() > Byte.BYTES);
                default -> isWideFloat || type.isInteger();
            };
            assertEquals(expected, vectors, kernel.toString());
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
        final MemorySegment left = part(0, type, count, misalignment);
        final MemorySegment right = part(1, type, count, 2 * misalignment);
        final MemorySegment dst = switch (aliasing)
        {
            case NONE -> part(2, type, count, 3 * misalignment);
            case LEFT -> left;
            case RIGHT -> right;
        };
        for (final boolean finish : new boolean[] { false, true })
        {
            final long[] lefts = ReferenceReducer.fill(type, left, count, random);
            final long[] rights = ReferenceReducer.fill(type, right, count, random);
            ReferenceReducer.set(type, dst, count, GUARD);

            if (finish)
            {
                kernel.reducer().reduceAndFinish(left.address(), right.address(), dst.address(), count, ranks);
            }
            else
            {
                kernel.reducer().reduce(left.address(), right.address(), dst.address(), count);
            }

            final int divisor = finish ? ranks : 1;
            for (int i = 0; i < count; i = next(i, type))
            {
                final long leftBits = lefts[i % ReferenceReducer.PERIOD];
                final long rightBits = rights[i % ReferenceReducer.PERIOD];
                final long expected = ReferenceReducer.apply(type, kernel.op(), leftBits, rightBits, divisor);
                final long actual = ReferenceReducer.get(type, dst, i, finish);
                if (expected != actual)
                {
                    assertEquals(Long.toHexString(expected), Long.toHexString(actual),
                        kernel + " i=" + i + " count=" + count + " ranks=" + ranks + " finish=" + finish +
                            " left=" + Long.toHexString(leftBits) + " right=" + Long.toHexString(rightBits));
                }
            }
            assertEquals(
                ReferenceReducer.low(type, GUARD), ReferenceReducer.raw(type, dst, count),
                () -> kernel + " wrote beyond the end");
        }
    }

    /** Skips most elements far from the ends of blocks, because the definition is slow. */
    private static int next(final int index, final DataType type)
    {
        final int block = BlockReducer.BLOCK_LENGTH / type.size();
        final int within = index % block;
        return index < 1000 || within < 300 || within > block - 600 ? index + 1 : index + 257;
    }

    /** One of three parts of the memory for long operands, filled with values that must be overwritten. */
    private static MemorySegment part(
        final int number, final DataType type, final int count, final int misalignment)
    {
        final long begin = number * PART_LENGTH + (long)misalignment * type.size();
        return MEMORY.asSlice(begin, (count + 1L) * type.size()).fill((byte)0xC3);
    }

    private static MemorySegment allocate(
        final Arena arena, final DataType type, final int count, final int misalignment)
    {
        final long offset = (long)misalignment * type.size();
        return arena.allocate(offset + (count + 1L) * type.size(), 64).asSlice(offset);
    }
}
