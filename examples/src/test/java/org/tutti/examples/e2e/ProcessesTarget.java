/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.examples.e2e;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.Stream;

/** A rank that checks collectives of every type and operation against a sequential reference. */
public final class ProcessesTarget
{
    private static final long[] COUNTS = {0, 1, 2, 7, 8, 9, 1000, 4095, 4096, 4097, 70_000, 300_001};

    private ProcessesTarget()
    {
    }

    /**
     * Runs.
     *
     * @param arguments numbers of elements, instead of many.
     */
    public static void main(final String[] arguments)
    {
        final long[] counts =
            arguments.length == 0 ? COUNTS : Stream.of(arguments).mapToLong(Long::parseLong).toArray();
        long checked = 0;
        try (Communicator communicator = Communicator.world())
        {
            for (final DataType type : DataType.values())
            {
                for (final long count : counts)
                {
                    for (final ReduceOp op : ReduceOp.values())
                    {
                        checkAllreduce(communicator, type, op, count);
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
        try (DataBuffer buffer = communicator.allocate(type, count))
        {
            for (long i = 0; i < count; i++)
            {
                set(buffer.segment(), type, i, input(op, communicator.rank(), i));
            }
            communicator.allreduce(buffer, op);
            for (long i = 0; i < count; i++)
            {
                double expected = input(op, 0, i);
                for (int rank = 1; rank < size; rank++)
                {
                    final double other = input(op, rank, i);
                    expected = switch (op)
                    {
                        case SUM, AVG -> expected + other;
                        case PROD -> expected * other;
                        case MIN -> Math.min(expected, other);
                        case MAX -> Math.max(expected, other);
                    };
                }
                if (op == ReduceOp.AVG)
                {
                    expected = switch (type)
                    {
                        case FLOAT32 -> (float)expected / size;
                        case FLOAT64 -> expected / size;
                        case INT32, INT64 -> Math.signum(expected) * Math.floor(Math.abs(expected) / size);
                    };
                }
                require(communicator, type + " " + op, count, i, expected, get(buffer.segment(), type, i));
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
                    communicator.rank() == root ? input(ReduceOp.SUM, root, i) : -1);
            }
            communicator.broadcast(buffer, root);
            for (long i = 0; i < count; i++)
            {
                require(communicator, type + " broadcast", count, i, input(ReduceOp.SUM, root, i),
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

    /** Small integers, and for products 1 and 2: exact in every type and order. */
    private static double input(final ReduceOp op, final int rank, final long index)
    {
        final long hash = ((index * 31 + rank) * 0x9E3779B97F4A7C15L) >>> 56;
        return op == ReduceOp.PROD ? 1 + (hash & 1) : hash - 100;
    }

    private static void set(final MemorySegment segment, final DataType type, final long index, final double value)
    {
        final long offset = index * type.size();
        switch (type)
        {
            case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT, offset, (float)value);
            case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE, offset, value);
            case INT32 -> segment.set(ValueLayout.JAVA_INT, offset, (int)value);
            case INT64 -> segment.set(ValueLayout.JAVA_LONG, offset, (long)value);
        }
    }

    private static double get(final MemorySegment segment, final DataType type, final long index)
    {
        final long offset = index * type.size();
        return switch (type)
        {
            case FLOAT32 -> segment.get(ValueLayout.JAVA_FLOAT, offset);
            case FLOAT64 -> segment.get(ValueLayout.JAVA_DOUBLE, offset);
            case INT32 -> segment.get(ValueLayout.JAVA_INT, offset);
            case INT64 -> segment.get(ValueLayout.JAVA_LONG, offset);
        };
    }
}
