/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Inputs whose reductions are exact in any order, and their sequential reduction: small integers, and for products
 * factors of 1 and 2, so that every intermediate result is representable.
 */
final class Reference
{
    private Reference()
    {
    }

    static boolean isDefined(final ReduceOp op, final DataType type)
    {
        return !op.equals(ReduceOp.MINLOC) && !op.equals(ReduceOp.MAXLOC) && !type.isPair() &&
            (type.isInteger() || op.equals(ReduceOp.SUM) || op.equals(ReduceOp.PROD) || op.equals(ReduceOp.MIN) ||
            op.equals(ReduceOp.MAX) || op.equals(ReduceOp.AVG));
    }

    static long input(
        final DataType type, final ReduceOp op, final int rank, final long index, final long salt)
    {
        long hash = (index + 1) * 0x9E3779B97F4A7C15L + (rank + 1) * 0xC2B2AE3D27D4EB4FL + salt;
        hash ^= hash >>> 29;
        hash *= 0xBF58476D1CE4E5B9L;
        hash ^= hash >>> 32;
        if (op.equals(ReduceOp.PROD))
        {
            return 1 + (hash & 1);
        }
        if (type.size() <= Short.BYTES || type.isPair() || (type.isInteger() && !type.isSigned()))
        {
            // A partial sum of eight ranks must fit the three digits of the narrowest type.
            return type.isFloating() ? hash & 1 : hash & 15;
        }
        return (hash & 0xFF) - 100;
    }

    static double expected(
        final DataType type, final ReduceOp op, final int size, final long index, final long salt)
    {
        long value = input(type, op, 0, index, salt);
        for (int rank = 1; rank < size; rank++)
        {
            final long other = input(type, op, rank, index, salt);
            value = switch (op.kind())
            {
                case SUM, AVG -> value + other;
                case PROD -> value * other;
                case MIN -> Math.min(value, other);
                case MAX -> Math.max(value, other);
                case BAND -> value & other;
                case BOR -> value | other;
                case BXOR -> value ^ other;
                case LAND -> value != 0 && other != 0 ? 1 : 0;
                case LOR -> value != 0 || other != 0 ? 1 : 0;
                case LXOR -> (value != 0) ^ (other != 0) ? 1 : 0;
                default -> throw new IllegalArgumentException(op.toString());
            };
        }
        return type.isInteger() ? average(type, op, size, wrap(type, value)) : round(type, op, size, value);
    }

    private static long average(final DataType type, final ReduceOp op, final int size, final long sum)
    {
        return !op.equals(ReduceOp.AVG) ? sum :
            type.equals(DataType.UINT64) ? Long.divideUnsigned(sum, size) : sum / size;
    }

    /** Returns what an integer type keeps of a value. */
    private static long wrap(final DataType type, final long value)
    {
        return switch (type.kind())
        {
            case INT8 -> (byte)value;
            case UINT8 -> value & 0xFF;
            case INT16 -> (short)value;
            case UINT16 -> value & 0xFFFF;
            case INT32 -> (int)value;
            case UINT32 -> value & 0xFFFF_FFFFL;
            default -> value;
        };
    }

    /** Returns a value, or its average, as a floating-point type represents it. */
    private static double round(final DataType type, final ReduceOp op, final int size, final long value)
    {
        if (type.equals(DataType.FLOAT64))
        {
            return op.equals(ReduceOp.AVG) ? (double)value / size : (double)value;
        }
        final float rounded = op.equals(ReduceOp.AVG) ? (float)value / size : (float)value;
        if (type.equals(DataType.FLOAT32))
        {
            return rounded;
        }
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment element = arena.allocate(type.size());
            Elements.setDouble(type, element, 0, rounded);
            return Elements.getDouble(type, element, 0);
        }
    }

    static void set(final MemorySegment segment, final DataType type, final long index, final long value)
    {
        final long offset = index * type.size();
        if (type.isInteger())
        {
            Elements.setLong(type, segment, offset, value);
        }
        else if (type.isFloating())
        {
            Elements.setDouble(type, segment, offset, (double)value);
        }
        else
        {
            segment.asSlice(offset, type.size()).fill((byte)value);
        }
    }

    static double get(final MemorySegment segment, final DataType type, final long index)
    {
        final long offset = index * type.size();
        return type.isInteger() ? Elements.getLong(type, segment, offset) :
            type.isFloating() ? Elements.getDouble(type, segment, offset) :
            segment.get(ValueLayout.JAVA_BYTE, offset + type.size() - 1);
    }
}
