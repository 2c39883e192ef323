/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.ReduceOp;

/** Arithmetic of integers. Sums and products wrap around. */
final class IntegerMath
{
    private IntegerMath()
    {
    }

    /**
     * Elements of up to 32 bits. Unsigned elements that are sign-extended keep their order in unsigned 32-bit
     * comparisons, so only averages depend on the number of bits.
     */
    static IntMath ofInts(final ReduceOp.Kind op, final boolean signed, final int bits)
    {
        return switch (op)
        {
            case SUM, PREMUL_SUM -> (left, right) -> left + right;
            case PROD -> (left, right) -> left * right;
            case MIN -> signed ? Math::min : (left, right) -> Integer.compareUnsigned(left, right) <= 0 ? left : right;
            case MAX -> signed ? Math::max : (left, right) -> Integer.compareUnsigned(left, right) >= 0 ? left : right;
            case AVG -> new IntAverage((left, right) -> left + right, divideInts(signed, bits));
            case BAND -> (left, right) -> left & right;
            case BOR -> (left, right) -> left | right;
            case BXOR -> (left, right) -> left ^ right;
            case LAND -> (left, right) -> truth(left) & truth(right);
            case LOR -> (left, right) -> truth(left | right);
            case LXOR -> (left, right) -> truth(left) ^ truth(right);
            case MINLOC, MAXLOC, USER -> throw new IllegalArgumentException(op.name());
        };
    }

    static LongMath ofLongs(final ReduceOp.Kind op, final boolean signed)
    {
        return switch (op)
        {
            case SUM, PREMUL_SUM -> (left, right) -> left + right;
            case PROD -> (left, right) -> left * right;
            case MIN -> signed ? Math::min : (left, right) -> Long.compareUnsigned(left, right) <= 0 ? left : right;
            case MAX -> signed ? Math::max : (left, right) -> Long.compareUnsigned(left, right) >= 0 ? left : right;
            case AVG -> new LongAverage((left, right) -> left + right, divideLongs(signed));
            case BAND -> (left, right) -> left & right;
            case BOR -> (left, right) -> left | right;
            case BXOR -> (left, right) -> left ^ right;
            case LAND -> (left, right) -> truth(left) & truth(right);
            case LOR -> (left, right) -> truth(left | right);
            case LXOR -> (left, right) -> truth(left) ^ truth(right);
            case MINLOC, MAXLOC, USER -> throw new IllegalArgumentException(op.name());
        };
    }

    /**
     * Returns 0 for 0, else 1, without a branch: {@code value} or {@code -value} has the highest bit set unless both
     * are 0.
     */
    private static int truth(final int value)
    {
        return (value | -value) >>> (Integer.SIZE - 1);
    }

    private static long truth(final long value)
    {
        return (value | -value) >>> (Long.SIZE - 1);
    }

    /**
     * Divides the left operand by the number of ranks and ignores the right one. Divides as {@code double}s, for which
     * processors have vector instructions. That is exact: a quotient of 32-bit integers that is not an integer is at
     * least 1/ranks away from the next integer, far more than the rounding error of the division.
     */
    static IntMath divideInts(final boolean signed, final int bits)
    {
        return signed ? new SignedDivision(Integer.SIZE - bits) : new UnsignedDivision(-1L >>> (Long.SIZE - bits));
    }

    static LongMath divideLongs(final boolean signed)
    {
        return new LongDivision(signed);
    }

    private record SignedDivision(int unused) implements IntMath
    {
        @Override
        public int combine(final int left, final int right)
        {
            return left;
        }

        @Override
        public int finish(final int left, final int right, final int ranks)
        {
            return (int)((double)(left << unused >> unused) / ranks);
        }
    }

    private record UnsignedDivision(long mask) implements IntMath
    {
        @Override
        public int combine(final int left, final int right)
        {
            return left;
        }

        @Override
        public int finish(final int left, final int right, final int ranks)
        {
            return (int)(long)((double)(left & mask) / ranks);
        }
    }

    private record LongDivision(boolean signed) implements LongMath
    {
        @Override
        public long combine(final long left, final long right)
        {
            return left;
        }

        @Override
        public long finish(final long left, final long right, final int ranks)
        {
            return signed ? left / ranks : Long.divideUnsigned(left, ranks);
        }
    }

    private record IntAverage(IntMath sum, IntMath division) implements IntMath
    {
        @Override
        public int combine(final int left, final int right)
        {
            return sum.combine(left, right);
        }

        @Override
        public int finish(final int left, final int right, final int ranks)
        {
            return division.finish(sum.combine(left, right), 0, ranks);
        }
    }

    private record LongAverage(LongMath sum, LongMath division) implements LongMath
    {
        @Override
        public long combine(final long left, final long right)
        {
            return sum.combine(left, right);
        }

        @Override
        public long finish(final long left, final long right, final int ranks)
        {
            return division.finish(sum.combine(left, right), 0, ranks);
        }
    }
}
