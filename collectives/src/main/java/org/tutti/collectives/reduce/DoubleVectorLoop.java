/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * Combines {@code double}s by one instruction a vector, and leaves one NaN only in what is final; what does not fill
 * one is left to the plain loop. A {@link Template}: every operation has a copy.
 */
final class DoubleVectorLoop extends BlockReducer
{
    private static final VectorKernel KERNEL = Template.constant(MethodHandles.lookup(), VectorKernel.class);
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

    private static DoubleVector load(final long address)
    {
        return DoubleVector.fromMemorySegment(SPECIES, MEMORY, address, ORDER);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            load(left + i).lanewise(OP, load(right + i)).intoMemorySegment(MEMORY, dst + i, ORDER);
        }
        REST.block(left + i, right + i, dst + i, length - i);
    }

    /**
     * Looks for NaNs in four vectors at a time, by a sum of them: that of two infinities may be taken for one, which
     * costs time only.
     */
    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        int i = 0;
        for (final int end = length - 4 * STEP; i <= end; i += 4 * STEP)
        {
            final DoubleVector first = result(left + i, right + i, ranks);
            final DoubleVector second = result(left + i + STEP, right + i + STEP, ranks);
            final DoubleVector third = result(left + i + 2L * STEP, right + i + 2L * STEP, ranks);
            final DoubleVector fourth = result(left + i + 3L * STEP, right + i + 3L * STEP, ranks);
            first.intoMemorySegment(MEMORY, dst + i, ORDER);
            second.intoMemorySegment(MEMORY, dst + i + STEP, ORDER);
            third.intoMemorySegment(MEMORY, dst + i + 2L * STEP, ORDER);
            fourth.intoMemorySegment(MEMORY, dst + i + 3L * STEP, ORDER);
            final DoubleVector all = first.add(second).add(third.add(fourth));
            if (all.test(VectorOperators.IS_NAN).anyTrue())
            {
                makeNansEqual(dst + i);
            }
        }
        REST.finishBlock(left + i, right + i, dst + i, length - i, ranks);
    }

    private static DoubleVector result(final long left, final long right, final int ranks)
    {
        final DoubleVector combined = load(left).lanewise(OP, load(right));
        return IS_AVERAGE ? combined.div(ranks) : combined;
    }

    private static void makeNansEqual(final long dst)
    {
        for (int i = 0; i < 4 * STEP; i += STEP)
        {
            final DoubleVector value = load(dst + i);
            value.blend(Double.NaN, value.test(VectorOperators.IS_NAN)).intoMemorySegment(MEMORY, dst + i, ORDER);
        }
    }
}
