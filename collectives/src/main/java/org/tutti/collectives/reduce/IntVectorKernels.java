/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.tutti.collectives.ReduceOp;

import java.nio.ByteOrder;

/** Vector loops over {@code int} elements; what is left over at the end goes to the plain loops. */
final class IntVectorKernels
{
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private IntVectorKernels()
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

    private static IntVector load(final long address)
    {
        return IntVector.fromMemorySegment(SPECIES, BlockReducer.MEMORY, address, ORDER);
    }

    static final class Sum extends IntKernels.Sum
    {
        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                load(left + i).add(load(right + i)).intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.block(left + i, right + i, dst + i, length - i);
        }
    }

    static final class Product extends IntKernels.Product
    {
        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                load(left + i).mul(load(right + i)).intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.block(left + i, right + i, dst + i, length - i);
        }
    }

    static final class Minimum extends IntKernels.Minimum
    {
        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                load(left + i).min(load(right + i)).intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.block(left + i, right + i, dst + i, length - i);
        }
    }

    static final class Maximum extends IntKernels.Maximum
    {
        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                load(left + i).max(load(right + i)).intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.block(left + i, right + i, dst + i, length - i);
        }
    }

    static final class Average extends IntKernels.Average
    {
        private static final Sum SUM = new Sum();

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            SUM.block(left, right, dst, length);
        }

        /**
         * Divides as doubles. That is exact: a quotient of 32-bit integers which is not whole is at least 1/ranks away
         * from the next whole number, far more than the division's rounding error.
         */
        @Override
        void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                final IntVector sum = load(left + i).add(load(right + i));
                final DoubleVector low = (DoubleVector)sum.convert(VectorOperators.I2D, 0);
                final DoubleVector high = (DoubleVector)sum.convert(VectorOperators.I2D, 1);
                final IntVector quotients = (IntVector)low.div(ranks).convert(VectorOperators.D2I, 0);
                quotients.or((IntVector)high.div(ranks).convert(VectorOperators.D2I, -1))
                    .intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.finishBlock(left + i, right + i, dst + i, length - i, ranks);
        }
    }
}
