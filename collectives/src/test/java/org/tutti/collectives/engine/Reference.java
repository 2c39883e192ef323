/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Inputs whose reductions are exact whatever the order, and the sequential reduction of them. Small integers, and for
 * products factors of 1 and 2, so that every intermediate result of every order is representable.
 */
final class Reference
{
    private Reference()
    {
    }

    static long input(final ReduceOp op, final int rank, final long index, final long salt)
    {
        long hash = (index + 1) * 0x9E3779B97F4A7C15L + (rank + 1) * 0xC2B2AE3D27D4EB4FL + salt;
        hash ^= hash >>> 29;
        hash *= 0xBF58476D1CE4E5B9L;
        hash ^= hash >>> 32;
        return op == ReduceOp.PROD ? 1 + (hash & 1) : (hash & 0xFF) - 100;
    }

    static double expected(
        final DataType type, final ReduceOp op, final int size, final long index, final long salt)
    {
        long value = input(op, 0, index, salt);
        for (int rank = 1; rank < size; rank++)
        {
            final long other = input(op, rank, index, salt);
            value = switch (op)
            {
                case SUM, AVG -> value + other;
                case PROD -> value * other;
                case MIN -> Math.min(value, other);
                case MAX -> Math.max(value, other);
            };
        }
        if (op != ReduceOp.AVG)
        {
            return value;
        }
        return switch (type)
        {
            case FLOAT32 -> (float)value / (float)size;
            case FLOAT64 -> (double)value / (double)size;
            case INT32, INT64 -> Math.floorDiv(Math.abs(value), size) * Long.signum(value);
        };
    }

    static void set(final MemorySegment segment, final DataType type, final long index, final long value)
    {
        final long offset = index * type.size();
        switch (type)
        {
            case FLOAT32 -> segment.set(ValueLayout.JAVA_FLOAT_UNALIGNED, offset, (float)value);
            case FLOAT64 -> segment.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset, (double)value);
            case INT32 -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, offset, (int)value);
            case INT64 -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, value);
        }
    }

    static double get(final MemorySegment segment, final DataType type, final long index)
    {
        final long offset = index * type.size();
        return switch (type)
        {
            case FLOAT32 -> segment.get(ValueLayout.JAVA_FLOAT_UNALIGNED, offset);
            case FLOAT64 -> segment.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, offset);
            case INT32 -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
            case INT64 -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, offset);
        };
    }
}
