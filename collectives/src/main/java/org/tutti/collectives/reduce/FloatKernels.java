/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.ReduceOp;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

/** Plain loops over {@code float} elements. */
final class FloatKernels
{
    private FloatKernels()
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
            super(Float.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Float.BYTES)
            {
                final float result =
                    MEMORY.get(JAVA_FLOAT_UNALIGNED, left + i) + MEMORY.get(JAVA_FLOAT_UNALIGNED, right + i);
                MEMORY.set(JAVA_FLOAT_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Product extends BlockReducer
    {
        Product()
        {
            super(Float.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Float.BYTES)
            {
                final float result =
                    MEMORY.get(JAVA_FLOAT_UNALIGNED, left + i) * MEMORY.get(JAVA_FLOAT_UNALIGNED, right + i);
                MEMORY.set(JAVA_FLOAT_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Minimum extends BlockReducer
    {
        Minimum()
        {
            super(Float.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Float.BYTES)
            {
                final float result = Math.min(
                    MEMORY.get(JAVA_FLOAT_UNALIGNED, left + i), MEMORY.get(JAVA_FLOAT_UNALIGNED, right + i));
                MEMORY.set(JAVA_FLOAT_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Maximum extends BlockReducer
    {
        Maximum()
        {
            super(Float.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            for (int i = 0; i < length; i += Float.BYTES)
            {
                final float result = Math.max(
                    MEMORY.get(JAVA_FLOAT_UNALIGNED, left + i), MEMORY.get(JAVA_FLOAT_UNALIGNED, right + i));
                MEMORY.set(JAVA_FLOAT_UNALIGNED, dst + i, result);
            }
        }
    }

    static class Average extends BlockReducer
    {
        private static final Sum SUM = new Sum();

        Average()
        {
            super(Float.BYTES);
        }

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            SUM.block(left, right, dst, length);
        }

        @Override
        void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
        {
            for (int i = 0; i < length; i += Float.BYTES)
            {
                final float sum =
                    MEMORY.get(JAVA_FLOAT_UNALIGNED, left + i) + MEMORY.get(JAVA_FLOAT_UNALIGNED, right + i);
                MEMORY.set(JAVA_FLOAT_UNALIGNED, dst + i, sum / ranks);
            }
        }
    }
}
