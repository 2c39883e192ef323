/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/** The definition of reductions on the bits of elements; all NaNs are taken as one. */
final class Reference
{
    private static final float[] FLOATS =
    {
        0.0f, -0.0f, 1.0f, -1.0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE,
        -Float.MIN_VALUE, Float.MIN_NORMAL, Float.MAX_VALUE, -Float.MAX_VALUE, Float.intBitsToFloat(0xffc0_1234)
    };
    private static final double[] DOUBLES =
    {
        0.0, -0.0, 1.0, -1.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE,
        -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, -Double.MAX_VALUE
    };
    private static final long[] INTEGERS =
    {
        0, 1, -1, 2, -2, Integer.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };

    private Reference()
    {
    }

    static boolean floating(final DataType type)
    {
        return type == DataType.FLOAT32 || type == DataType.FLOAT64;
    }

    static long[] fill(final DataType type, final MemorySegment segment, final int count, final Random random)
    {
        final long[] bits = new long[count];
        for (int i = 0; i < count; i++)
        {
            set(type, segment, i, random.nextBoolean() ? random.nextLong() : special(type, random));
            bits[i] = raw(type, segment, i);
        }
        return bits;
    }

    private static long special(final DataType type, final Random random)
    {
        return switch (type)
        {
            case FLOAT32 -> Float.floatToRawIntBits(FLOATS[random.nextInt(FLOATS.length)]);
            case FLOAT64 -> Double.doubleToRawLongBits(DOUBLES[random.nextInt(DOUBLES.length)]);
            case INT32, INT64 -> INTEGERS[random.nextInt(INTEGERS.length)];
        };
    }

    static long apply(final DataType type, final ReduceOp op, final long left, final long right, final int ranks)
    {
        return switch (type)
        {
            case FLOAT32 ->
            {
                final float a = Float.intBitsToFloat((int)left);
                final float b = Float.intBitsToFloat((int)right);
                yield Float.floatToIntBits(switch (op)
                {
                    case SUM -> a + b;
                    case PROD -> a * b;
                    case MIN -> Math.min(a, b);
                    case MAX -> Math.max(a, b);
                    case AVG -> (a + b) / ranks;
                });
            }
            case FLOAT64 ->
            {
                final double a = Double.longBitsToDouble(left);
                final double b = Double.longBitsToDouble(right);
                yield Double.doubleToLongBits(switch (op)
                {
                    case SUM -> a + b;
                    case PROD -> a * b;
                    case MIN -> Math.min(a, b);
                    case MAX -> Math.max(a, b);
                    case AVG -> (a + b) / ranks;
                });
            }
            case INT32 -> switch (op)
            {
                case SUM -> (int)(left + right);
                case PROD -> (int)(left * right);
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case AVG -> (int)(left + right) / ranks;
            };
            case INT64 -> switch (op)
            {
                case SUM -> left + right;
                case PROD -> left * right;
                case MIN -> Math.min(left, right);
                case MAX -> Math.max(left, right);
                case AVG -> (left + right) / ranks;
            };
        };
    }

    static void set(final DataType type, final MemorySegment segment, final int index, final long bits)
    {
        if (type.size() == Integer.BYTES)
        {
            segment.set(JAVA_INT_UNALIGNED, 4L * index, (int)bits);
        }
        else
        {
            segment.set(JAVA_LONG_UNALIGNED, 8L * index, bits);
        }
    }

    static long raw(final DataType type, final MemorySegment segment, final int index)
    {
        return type.size() == Integer.BYTES ?
            segment.get(JAVA_INT_UNALIGNED, 4L * index) :
            segment.get(JAVA_LONG_UNALIGNED, 8L * index);
    }

    static long get(final DataType type, final MemorySegment segment, final int index)
    {
        final long bits = raw(type, segment, index);
        return switch (type)
        {
            case FLOAT32 -> Float.floatToIntBits(Float.intBitsToFloat((int)bits));
            case FLOAT64 -> Double.doubleToLongBits(Double.longBitsToDouble(bits));
            case INT32, INT64 -> bits;
        };
    }
}
