/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/** A rank that checks collectives with types of every length and several operations against a sequential reference. */
public final class ProcessesTarget
{
    private static final long[] COUNTS = {0, 1, 2, 7, 8, 9, 1000, 4095, 4096, 4097, 70_000, 300_001};

    /**
     * One type of each length, and the most common types; tests within a process cover all types with the same loops.
     */
    static final List<DataType> TYPES = List.of(DataType.UINT8, DataType.FLOAT16, DataType.INT32, DataType.FLOAT32,
        DataType.FLOAT64, DataType.INT64_INT64);

    /** From this count on only sums are checked: an operation treats all elements alike. */
    private static final long LONG = 10_000;

    /** Operations of all numeric types. */
    private static final List<ReduceOp> OPS =
        List.of(ReduceOp.SUM, ReduceOp.PROD, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG);

    private ProcessesTarget()
    {
    }

    /**
     * Runs a rank.
     *
     * @param arguments numbers of elements, instead of the default ones.
     */
    public static void main(final String[] arguments)
    {
        final long[] counts =
            arguments.length == 0 ? COUNTS : Stream.of(arguments).mapToLong(Long::parseLong).toArray();
        long checked = 0;
        try (Communicator communicator = Communicator.world())
        {
            for (final DataType type : TYPES)
            {
                for (final long count : counts)
                {
                    for (final ReduceOp op : OPS)
                    {
                        if (!type.isPair() && (count < LONG || op.equals(ReduceOp.SUM)))
                        {
                            checkAllreduce(communicator, type, op, count);
                        }
                    }
                    checkBroadcast(communicator, type, count, (int)(count % communicator.size()));
                    communicator.barrier();
                    checked++;
                }
            }
            System.out.println("rank " + communicator.rank() + " checked " + checked);
        }
    }

    private static void checkAllreduce(
        final Communicator communicator, final DataType type, final ReduceOp op, final long count)
    {
        final int size = communicator.size();
        final MemorySegment rounded = MemorySegment.ofArray(new byte[type.size()]);
        try (DataBuffer buffer = communicator.allocate(type, count))
        {
            for (long i = 0; i < count; i++)
            {
                set(buffer.segment(), type, i, input(type, op, communicator.rank(), i));
            }
            communicator.allreduce(buffer, op);
            for (long i = 0; i < count; i++)
            {
                double expected = input(type, op, 0, i);
                for (int rank = 1; rank < size; rank++)
                {
                    final double other = input(type, op, rank, i);
                    expected = switch (op.kind())
                    {
                        case SUM, AVG -> expected + other;
                        case PROD -> expected * other;
                        case MIN -> Math.min(expected, other);
                        case MAX -> Math.max(expected, other);
                        default -> throw new IllegalArgumentException(op.shortName());
                    };
                }
                if (op.equals(ReduceOp.AVG))
                {
                    expected = type.isInteger() ? Math.signum(expected) * Math.floor(Math.abs(expected) / size) :
                        type.equals(DataType.FLOAT64) ? expected / size : (float)expected / size;
                }
                // The quotient is rounded to the type.
                set(rounded, type, 0, expected);
                require(communicator, type + " " + op, count, i, get(rounded, type, 0), get(buffer.segment(), type, i));
            }
        }
    }

    private static void checkBroadcast(
        final Communicator communicator, final DataType type, final long count, final int root)
    {
        try (DataBuffer buffer = communicator.allocate(type, count))
        {
            for (long i = 0; i < count; i++)
            {
                set(buffer.segment(), type, i,
                    communicator.rank() == root ? input(type, ReduceOp.SUM, root, i) : 9);
            }
            communicator.broadcast(buffer, root);
            for (long i = 0; i < count; i++)
            {
                require(communicator, type + " broadcast", count, i, input(type, ReduceOp.SUM, root, i),
                    get(buffer.segment(), type, i));
            }
        }
    }

    private static void require(
        final Communicator communicator, final String what, final long count, final long index,
        final double expected, final double actual)
    {
        if (expected != actual)
        {
            throw new AssertionError("rank " + communicator.rank() + ": " + what + ", element " + index + " of " +
                count + ": " + actual + " instead of " + expected);
        }
    }

    /** Small integers, and 1 or 2 for products: exact in every type and order. */
    private static double input(final DataType type, final ReduceOp op, final int rank, final long index)
    {
        final long hash = ((index * 31 + rank) * 0x9E3779B97F4A7C15L) >>> 56;
        if (op.equals(ReduceOp.PROD))
        {
            return 1 + (hash & 1);
        }
        return type.size() >= Integer.BYTES && !type.isPair() && (type.isFloating() || type.isSigned()) ?
            hash - 100 : hash & 1;
    }

    private static void set(final MemorySegment segment, final DataType type, final long index, final double value)
    {
        final long offset = index * type.size();
        if (type.isFloating())
        {
            Elements.setDouble(type, segment, offset, value);
        }
        else
        {
            Elements.setLong(type.isPair() ? DataType.INT64 : type, segment, offset, (long)value);
        }
    }

    private static double get(final MemorySegment segment, final DataType type, final long index)
    {
        final long offset = index * type.size();
        return type.isFloating() ? Elements.getDouble(type, segment, offset) :
            Elements.getLong(type.isPair() ? DataType.INT64 : type, segment, offset);
    }
}
