/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/**
 * What the ranks put in, and what must come out, to the bit. Every element of every rank is a pseudo-random number of
 * which sums and products of all ranks are exactly representable; thus the order of operations does not matter, and
 * one rounding at the end of an average is the only one.
 *
 * @param type      of the elements.
 * @param op        how they are combined.
 * @param firstRank the first rank whose elements are combined.
 * @param ranks     how many ranks' elements are combined: 1 for data that is only moved.
 */
record TestData(DataType type, ReduceOp op, int firstRank, int ranks)
{
    /** So many ranks have factors other than 1 and -1 in floating-point products, lest these overflow. */
    private static final int RANKS_WITH_FACTORS = 32;

    /** What outputs are filled with before, so that an element which was not written is seen. */
    private static final byte POISON = (byte)0xA5;

    /**
     * Writes what a rank puts in.
     *
     * @param segment to fill.
     * @param count   elements.
     * @param rank    whose.
     */
    void fill(final MemorySegment segment, final long count, final int rank)
    {
        for (long i = 0; i < count; i++)
        {
            set(segment, i, integral() ? integer(rank, i) : bits(number(rank, i)));
        }
    }

    /**
     * Writes what cannot be a result.
     *
     * @param segment to fill.
     */
    static void poison(final MemorySegment segment)
    {
        segment.fill(POISON);
    }

    /**
     * Counts the elements that are not as they must be, by any bit.
     *
     * @param segment what came out.
     * @param count   elements.
     * @return from 0 to {@code count}.
     */
    long countWrong(final MemorySegment segment, final long count)
    {
        long wrong = 0;
        for (long i = 0; i < count; i++)
        {
            wrong += get(segment, i) == expected(i) ? 0 : 1;
        }
        return wrong;
    }

    private long expected(final long index)
    {
        return integral() ? expectedInteger(index) : bits(expectedNumber(index));
    }

    private long expectedInteger(final long index)
    {
        long result = integer(firstRank, index);
        for (int rank = firstRank + 1; rank < firstRank + ranks; rank++)
        {
            final long value = integer(rank, index);
            result = switch (op)
            {
                case SUM, AVG -> result + value;
                case PROD -> result * value;
                case MIN -> Math.min(result, value);
                case MAX -> Math.max(result, value);
            };
        }
        // Sums and products wrap: the low bits are right whatever is above them.
        final long wrapped = type == DataType.INT32 ? (int)result : result;
        return op == ReduceOp.AVG ? wrapped / ranks : wrapped;
    }

    private double expectedNumber(final long index)
    {
        double result = number(firstRank, index);
        for (int rank = firstRank + 1; rank < firstRank + ranks; rank++)
        {
            final double value = number(rank, index);
            result = switch (op)
            {
                case SUM, AVG -> result + value;
                case PROD -> result * value;
                case MIN -> Math.min(result, value);
                case MAX -> Math.max(result, value);
            };
        }
        if (op != ReduceOp.AVG)
        {
            return result;
        }
        return type == DataType.FLOAT32 ? (float)result / ranks : result / ranks;
    }

    /** Any value of the type: integer arithmetic is exact, modulo its size. */
    private long integer(final int rank, final long index)
    {
        final long random = random(rank, index);
        return type == DataType.INT32 ? (int)random : random;
    }

    /** A whole number from -128 to 127; for products one of 1, 2, a half, and their negatives. */
    private double number(final int rank, final long index)
    {
        final int random = (int)(random(rank, index) >>> 56);
        if (op != ReduceOp.PROD)
        {
            return random - 128;
        }
        final double factor = rank >= RANKS_WITH_FACTORS ? 1.0 : switch (random >> 1 & 3)
        {
            case 0 -> 0.5;
            case 1 -> 2.0;
            default -> 1.0;
        };
        return (random & 1) == 0 ? factor : -factor;
    }

    /** SplitMix64, by Steele, Lea and Flood (doi:10.1145/2714064.2660195), with rank and index for its state. */
    private static long random(final int rank, final long index)
    {
        long z = index * 0x9E37_79B9_7F4A_7C15L + (rank + 1L) * 0xD1B5_4A32_D192_ED03L;
        z = (z ^ z >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ z >>> 27) * 0x94D0_49BB_1331_11EBL;
        return z ^ z >>> 31;
    }

    private boolean integral()
    {
        return type == DataType.INT32 || type == DataType.INT64;
    }

    private long bits(final double value)
    {
        return type == DataType.FLOAT32 ? Float.floatToRawIntBits((float)value) : Double.doubleToRawLongBits(value);
    }

    private void set(final MemorySegment segment, final long index, final long bits)
    {
        if (type.size() == Integer.BYTES)
        {
            segment.set(JAVA_INT_UNALIGNED, index * Integer.BYTES, (int)bits);
        }
        else
        {
            segment.set(JAVA_LONG_UNALIGNED, index * Long.BYTES, bits);
        }
    }

    private long get(final MemorySegment segment, final long index)
    {
        return type.size() == Integer.BYTES ?
            segment.get(JAVA_INT_UNALIGNED, index * Integer.BYTES) :
            segment.get(JAVA_LONG_UNALIGNED, index * Long.BYTES);
    }
}
