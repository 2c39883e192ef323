/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.NarrowReference;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/** Definition of reductions on the bits of elements; all NaNs count as one. */
final class ReferenceReducer
{
    private static final double[] NUMBERS =
    {
        0.0, -0.0, 1.0, -1.0, 3.5, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE,
        -Double.MIN_VALUE, Double.MIN_NORMAL, Double.MAX_VALUE, -Double.MAX_VALUE, Float.MIN_VALUE, -Float.MIN_VALUE,
        Float.MIN_NORMAL, Float.MAX_VALUE, -Float.MAX_VALUE
    };
    private static final long[] INTEGERS =
    {
        0, 1, -1, 2, -2, Byte.MAX_VALUE, Byte.MIN_VALUE, Short.MAX_VALUE, Short.MIN_VALUE, Integer.MAX_VALUE,
        Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE
    };
    /** Not a power of two, so that blocks and vectors begin at different elements of it. */
    static final int PERIOD = 4099;
    private static final Map<DataType, NarrowReference> NARROW = new HashMap<>();

    private ReferenceReducer()
    {
    }

    /**
     * Writes elements that repeat after {@link #PERIOD}.
     *
     * @return bits of the elements of the first period.
     */
    static long[] fill(final DataType type, final MemorySegment segment, final int count, final Random random)
    {
        final int first = Math.min(count, PERIOD);
        final long[] bits = new long[first];
        for (int i = 0; i < first; i++)
        {
            set(type, segment, i, random.nextBoolean() ? random.nextLong() : special(type, random));
            bits[i] = raw(type, segment, i);
        }
        for (long done = first; done < count; done += PERIOD)
        {
            MemorySegment.copy(
                segment, 0, segment, done * type.size(), Math.min(PERIOD, count - done) * type.size());
        }
        return bits;
    }

    private static long special(final DataType type, final Random random)
    {
        return type.isFloating() ? bits(type, NUMBERS[random.nextInt(NUMBERS.length)]) :
            INTEGERS[random.nextInt(INTEGERS.length)];
    }

    static long apply(final DataType type, final ReduceOp op, final long left, final long right, final int ranks)
    {
        if (!type.isFloating())
        {
            return type.size() < Long.BYTES ? shortInteger(type, op, left, right, ranks) :
                longInteger(type, op, left, right, ranks);
        }
        final double a = value(type, left);
        final double b = value(type, right);
        final boolean isDouble = type.equals(DataType.FLOAT64);
        return bits(type, switch (op.kind())
        {
            case SUM -> isDouble ? a + b : (float)a + (float)b;
            case PROD -> isDouble ? a * b : (float)a * (float)b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AVG -> isDouble ? (a + b) / ranks : ((float)a + (float)b) / ranks;
            default -> throw new IllegalArgumentException(op.toString());
        });
    }

    /** Integers of at most 32 bits: a long has their sums, and the low bits of their products. */
    private static long shortInteger(
        final DataType type, final ReduceOp op, final long left, final long right, final int ranks)
    {
        final long a = extend(type, left);
        final long b = extend(type, right);
        return low(type, switch (op.kind())
        {
            case SUM -> a + b;
            case PROD -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AVG -> extend(type, a + b) / ranks;
            case BAND -> a & b;
            case BOR -> a | b;
            case BXOR -> a ^ b;
            case LAND -> a != 0 && b != 0 ? 1 : 0;
            case LOR -> a != 0 || b != 0 ? 1 : 0;
            case LXOR -> (a != 0) == (b != 0) ? 0 : 1;
            default -> throw new IllegalArgumentException(op.toString());
        });
    }

    private static long extend(final DataType type, final long bits)
    {
        final int unused = Long.SIZE - type.size() * Byte.SIZE;
        return type.isSigned() ? bits << unused >> unused : bits << unused >>> unused;
    }

    private static long longInteger(
        final DataType type, final ReduceOp op, final long left, final long right, final int ranks)
    {
        final BigInteger a = number(type, left);
        final BigInteger b = number(type, right);
        final boolean isA = a.signum() != 0;
        final boolean isB = b.signum() != 0;
        final BigInteger result = switch (op.kind())
        {
            case SUM -> a.add(b);
            case PROD -> a.multiply(b);
            case MIN -> a.min(b);
            case MAX -> a.max(b);
            case AVG -> number(type, a.add(b).longValue()).divide(BigInteger.valueOf(ranks));
            case BAND -> a.and(b);
            case BOR -> a.or(b);
            case BXOR -> a.xor(b);
            case LAND -> isA && isB ? BigInteger.ONE : BigInteger.ZERO;
            case LOR -> isA || isB ? BigInteger.ONE : BigInteger.ZERO;
            case LXOR -> isA == isB ? BigInteger.ZERO : BigInteger.ONE;
            default -> throw new IllegalArgumentException(op.toString());
        };
        return low(type, result.longValue());
    }

    private static BigInteger number(final DataType type, final long bits)
    {
        final int size = type.size() * 8;
        final BigInteger unsigned = BigInteger.valueOf(bits).mod(BigInteger.TWO.pow(size));
        return type.isSigned() && unsigned.testBit(size - 1) ? unsigned.subtract(BigInteger.TWO.pow(size)) : unsigned;
    }

    private static double value(final DataType type, final long bits)
    {
        return switch (type.kind())
        {
            case FLOAT32 -> Float.intBitsToFloat((int)bits);
            case FLOAT64 -> Double.longBitsToDouble(bits);
            default -> narrow(type).decode((int)bits);
        };
    }

    private static long bits(final DataType type, final double value)
    {
        return low(type, switch (type.kind())
        {
            case FLOAT32 -> Float.floatToIntBits((float)value);
            case FLOAT64 -> Double.doubleToLongBits(value);
            default -> narrow(type).encode((float)value);
        });
    }

    private static NarrowReference narrow(final DataType type)
    {
        return NARROW.computeIfAbsent(type, NarrowReference::of);
    }

    /** The bits of an element, with all other bits zero. */
    static long low(final DataType type, final long bits)
    {
        return type.size() == Long.BYTES ? bits : bits & ((1L << (type.size() * 8)) - 1);
    }

    static void set(final DataType type, final MemorySegment segment, final int index, final long bits)
    {
        final long offset = (long)index * type.size();
        switch (type.size())
        {
            case Byte.BYTES -> segment.set(JAVA_BYTE, offset, (byte)bits);
            case Short.BYTES -> segment.set(JAVA_SHORT_UNALIGNED, offset, (short)bits);
            case Integer.BYTES -> segment.set(JAVA_INT_UNALIGNED, offset, (int)bits);
            default -> segment.set(JAVA_LONG_UNALIGNED, offset, bits);
        }
    }

    static long raw(final DataType type, final MemorySegment segment, final int index)
    {
        final long offset = (long)index * type.size();
        return low(type, switch (type.size())
        {
            case Byte.BYTES -> segment.get(JAVA_BYTE, offset);
            case Short.BYTES -> segment.get(JAVA_SHORT_UNALIGNED, offset);
            case Integer.BYTES -> segment.get(JAVA_INT_UNALIGNED, offset);
            default -> segment.get(JAVA_LONG_UNALIGNED, offset);
        });
    }

    /** The bits written; for intermediate values, which may have any NaN, with the canonical NaN. */
    static long get(final DataType type, final MemorySegment segment, final int index, final boolean last)
    {
        final long bits = raw(type, segment, index);
        return last || !type.isFloating() ? bits : bits(type, value(type, bits));
    }
}
