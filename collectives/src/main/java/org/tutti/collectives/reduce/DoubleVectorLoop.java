/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * Combines {@code double}s with one instruction per vector; the plain loop handles the remainder. NaNs of final values
 * are canonical. {@link LoopTemplate} copies this class for each operation.
 */
final class DoubleVectorLoop extends BlockReducer
{
    private static final VectorKernel KERNEL = LoopTemplate.constant(MethodHandles.lookup(), VectorKernel.class);
    private static final VectorOperators.Binary OP = KERNEL.op();
    private static final boolean IS_AVERAGE = KERNEL.isAverage();
    private static final BlockReducer REST = KERNEL.rest();
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    DoubleVectorLoop()
    {
        super(REST.elementSize());
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            DoubleVector.fromMemorySegment(SPECIES, MEMORY, left + i, ORDER)
                .lanewise(OP, DoubleVector.fromMemorySegment(SPECIES, MEMORY, right + i, ORDER))
                .intoMemorySegment(MEMORY, dst + i, ORDER);
        }
        REST.block(left + i, right + i, dst + i, length - i);
    }

    /** Checks four vectors at a time for NaNs, which takes as long as checking one. */
    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        int i = 0;
        for (final int end = length - 4 * STEP; i <= end; i += 4 * STEP)
        {
            final DoubleVector first = DoubleVector.fromMemorySegment(SPECIES, MEMORY, left + i, ORDER)
                .lanewise(OP, DoubleVector.fromMemorySegment(SPECIES, MEMORY, right + i, ORDER));
            final DoubleVector second = DoubleVector.fromMemorySegment(SPECIES, MEMORY, left + i + STEP, ORDER)
                .lanewise(OP, DoubleVector.fromMemorySegment(SPECIES, MEMORY, right + i + STEP, ORDER));
            final DoubleVector third = DoubleVector.fromMemorySegment(SPECIES, MEMORY, left + i + 2L * STEP, ORDER)
                .lanewise(OP, DoubleVector.fromMemorySegment(SPECIES, MEMORY, right + i + 2L * STEP, ORDER));
            final DoubleVector fourth = DoubleVector.fromMemorySegment(SPECIES, MEMORY, left + i + 3L * STEP, ORDER)
                .lanewise(OP, DoubleVector.fromMemorySegment(SPECIES, MEMORY, right + i + 3L * STEP, ORDER));
            (IS_AVERAGE ? first.div(ranks) : first).intoMemorySegment(MEMORY, dst + i, ORDER);
            (IS_AVERAGE ? second.div(ranks) : second).intoMemorySegment(MEMORY, dst + i + STEP, ORDER);
            (IS_AVERAGE ? third.div(ranks) : third).intoMemorySegment(MEMORY, dst + i + 2L * STEP, ORDER);
            (IS_AVERAGE ? fourth.div(ranks) : fourth).intoMemorySegment(MEMORY, dst + i + 3L * STEP, ORDER);
            final VectorMask<Double> nans = first.compare(VectorOperators.NE, first)
                .or(second.compare(VectorOperators.NE, second))
                .or(third.compare(VectorOperators.NE, third))
                .or(fourth.compare(VectorOperators.NE, fourth));
            if (nans.anyTrue())
            {
                canonicaliseNans(dst + i);
            }
        }
        REST.finishBlock(left + i, right + i, dst + i, length - i, ranks);
    }

    private static void canonicaliseNans(final long dst)
    {
        for (int i = 0; i < 4 * STEP; i += STEP)
        {
            final DoubleVector value = DoubleVector.fromMemorySegment(SPECIES, MEMORY, dst + i, ORDER);
            value.blend(Double.NaN, value.compare(VectorOperators.NE, value))
                .intoMemorySegment(MEMORY, dst + i, ORDER);
        }
    }
}
