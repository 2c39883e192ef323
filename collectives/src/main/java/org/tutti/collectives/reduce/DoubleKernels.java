/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.ReduceOp;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

/** Plain loops over {@code double} elements. */
final class DoubleKernels
{
    private DoubleKernels()
    {
    }

    static Reducer of(final ReduceOp op)
    {
        return switch (op)
        {
            case SUM -> new Sum();
            case PROD -> new Product();
            case MIN -> new Minimum();
            case MAX -> new Maximum();
            case AVG -> new Average();
        };
    }

    static class Sum extends BlockReducer
    {
        Sum()
        {
            super(Double.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Double.BYTES)
            {
                final double result =
                    MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i) + MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i);
                MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Product extends BlockReducer
    {
        Product()
        {
            super(Double.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Double.BYTES)
            {
                final double result =
                    MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i) * MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i);
                MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Minimum extends BlockReducer
    {
        Minimum()
        {
            super(Double.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Double.BYTES)
            {
                final double result = Math.min(
                    MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i), MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i));
                MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Maximum extends BlockReducer
    {
        Maximum()
        {
            super(Double.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Double.BYTES)
            {
                final double result = Math.max(
                    MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i), MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i));
                MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Average extends BlockReducer
    {
        private static final Sum SUM = new Sum();

        Average()
        {
            super(Double.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            SUM.block(left, right, dst, length);
        }

        @Override
        void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
        {
            for (int i = 0; i < length; i += Double.BYTES)
            {
                final double sum =
                    MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i) + MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i);
                MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, sum / ranks);
            }
        }
    }
}
