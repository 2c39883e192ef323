/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * Combines {@code float}s by one instruction a vector, and leaves one NaN only in what is final; what does not fill one
 * is left to the plain loop. A {@link Template}: every operation has a copy.
 */
final class FloatVectorLoop extends BlockReducer
{
    private static final VectorKernel KERNEL = Template.constant(MethodHandles.lookup(), VectorKernel.class);
    private static final VectorOperators.Binary OP = KERNEL.op();
    private static final boolean IS_AVERAGE = KERNEL.isAverage();
    private static final BlockReducer REST = KERNEL.rest();
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    FloatVectorLoop()
    {
        super(REST.elementSize());
    }

    private static FloatVector load(final long address)
    {
        return FloatVector.fromMemorySegment(SPECIES, MEMORY, address, ORDER);
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

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            final FloatVector combined = load(left + i).lanewise(OP, load(right + i));
            final FloatVector value = IS_AVERAGE ? combined.div(ranks) : combined;
            value.blend(Float.NaN, value.compare(VectorOperators.NE, value)).intoMemorySegment(MEMORY, dst + i, ORDER);
        }
        REST.finishBlock(left + i, right + i, dst + i, length - i, ranks);
    }
}
