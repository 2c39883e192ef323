/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.tutti.collectives.ReduceOp;

import java.nio.ByteOrder;

/** Vector loops over {@code double} elements; what is left over at the end goes to the plain loops. */
final class DoubleVectorKernels
{
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private DoubleVectorKernels()
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

    private static DoubleVector load(final long address)
    {
        return DoubleVector.fromMemorySegment(SPECIES, BlockReducer.MEMORY, address, ORDER);
    }

    static final class Sum extends DoubleKernels.Sum
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

    static final class Product extends DoubleKernels.Product
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

    static final class Minimum extends DoubleKernels.Minimum
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

    static final class Maximum extends DoubleKernels.Maximum
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

    static final class Average extends DoubleKernels.Average
    {
        private static final Sum SUM = new Sum();

        @Override
        void block(final long left, final long right, final long dst, final int length)
        {
            SUM.block(left, right, dst, length);
        }

        @Override
        void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
        {
            int i = 0;
            for (final int end = length - STEP; i <= end; i += STEP)
            {
                load(left + i).add(load(right + i)).div(ranks).intoMemorySegment(MEMORY, dst + i, ORDER);
            }
            super.finishBlock(left + i, right + i, dst + i, length - i, ranks);
        }
    }
}
