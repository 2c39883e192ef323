/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * Combines {@code int}s with one instruction per vector; the plain loop handles the remainder.
 * {@link LoopTemplate} copies this class for each operation.
 */
final class IntVectorLoop extends BlockReducer
{
    private static final VectorKernel KERNEL = LoopTemplate.constant(MethodHandles.lookup(), VectorKernel.class);
    private static final VectorOperators.Binary OP = KERNEL.op();
    private static final BlockReducer REST = KERNEL.rest();
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    IntVectorLoop()
    {
        super(REST.elementSize());
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            IntVector.fromMemorySegment(SPECIES, MEMORY, left + i, ORDER)
                .lanewise(OP, IntVector.fromMemorySegment(SPECIES, MEMORY, right + i, ORDER))
                .intoMemorySegment(MEMORY, dst + i, ORDER);
        }
        REST.block(left + i, right + i, dst + i, length - i);
    }
}
