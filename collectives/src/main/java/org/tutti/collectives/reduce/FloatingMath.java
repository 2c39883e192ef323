/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.ReduceOp;

/**
 * Arithmetic of floating-point numbers. NaNs of final values are canonical, so that their bits depend neither on the
 * order of operands nor on the processor.
 */
final class FloatingMath
{
    private FloatingMath()
    {
    }

    static FloatMath ofFloats(final ReduceOp.Kind op)
    {
        return switch (op)
        {
            case SUM, PREMUL_SUM -> new FinalFloat(Float::sum);
            case PROD -> new FinalFloat((left, right) -> left * right);
            case MIN -> new FinalFloat(Math::min);
            case MAX -> new FinalFloat(Math::max);
            case AVG -> new FloatAverage();
            default -> throw new IllegalArgumentException(op.name());
        };
    }

    static DoubleMath ofDoubles(final ReduceOp.Kind op)
    {
        return switch (op)
        {
            case SUM, PREMUL_SUM -> new FinalDouble(Double::sum);
            case PROD -> new FinalDouble((left, right) -> left * right);
            case MIN -> new FinalDouble(Math::min);
            case MAX -> new FinalDouble(Math::max);
            case AVG -> new DoubleAverage();
            default -> throw new IllegalArgumentException(op.name());
        };
    }

    private static float canonicalNan(final float value)
    {
        return Float.isNaN(value) ? Float.NaN : value;
    }

    private static double canonicalNan(final double value)
    {
        return Double.isNaN(value) ? Double.NaN : value;
    }

    private record FinalFloat(FloatMath math) implements FloatMath
    {
        @Override
        public float combine(final float left, final float right)
        {
            return math.combine(left, right);
        }

        @Override
        public float finish(final float left, final float right, final int ranks)
        {
            return canonicalNan(math.combine(left, right));
        }
    }

    private record FinalDouble(DoubleMath math) implements DoubleMath
    {
        @Override
        public double combine(final double left, final double right)
        {
            return math.combine(left, right);
        }

        @Override
        public double finish(final double left, final double right, final int ranks)
        {
            return canonicalNan(math.combine(left, right));
        }
    }

    private record FloatAverage() implements FloatMath
    {
        @Override
        public float combine(final float left, final float right)
        {
            return left + right;
        }

        @Override
        public float finish(final float left, final float right, final int ranks)
        {
            return canonicalNan((left + right) / ranks);
        }
    }

    private record DoubleAverage() implements DoubleMath
    {
        @Override
        public double combine(final double left, final double right)
        {
            return left + right;
        }

        @Override
        public double finish(final double left, final double right, final int ranks)
        {
            return canonicalNan((left + right) / ranks);
        }
    }
}
