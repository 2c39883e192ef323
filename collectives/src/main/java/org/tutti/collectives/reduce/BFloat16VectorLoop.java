/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * Combines bfloat16s as {@code float}s: a bfloat16 is the upper half of a {@code float}. Each {@code int} lane of a
 * vector has two bfloat16s, whose results stay in that lane. Rounds to nearest, ties to even; NaNs are canonical.
 * {@link LoopTemplate} copies this class for each operation.
 */
final class BFloat16VectorLoop extends BlockReducer
{
    private static final VectorKernel KERNEL = LoopTemplate.constant(MethodHandles.lookup(), VectorKernel.class);
    private static final VectorOperators.Binary OP = KERNEL.op();
    private static final boolean IS_AVERAGE = KERNEL.isAverage();
    private static final BlockReducer REST = KERNEL.rest();
    private static final VectorSpecies<Integer> SPECIES = IntVector.SPECIES_PREFERRED;
    private static final int STEP = SPECIES.vectorByteSize();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int UPPER = 0xFFFF_0000;
    /** One less than half of a unit in the last place: adding it, and 1 if the last bit is set, rounds ties to even. */
    private static final int HALF = 0x7FFF;
    private static final int NAN = Float.floatToRawIntBits(Float.NaN);

    BFloat16VectorLoop()
    {
        super(REST.elementSize());
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            vector(left + i, right + i, dst + i, 1);
        }
        REST.block(left + i, right + i, dst + i, length - i);
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        int i = 0;
        for (final int end = length - STEP; i <= end; i += STEP)
        {
            vector(left + i, right + i, dst + i, ranks);
        }
        REST.finishBlock(left + i, right + i, dst + i, length - i, ranks);
    }

    private static void vector(final long left, final long right, final long dst, final int divisor)
    {
        final IntVector first = IntVector.fromMemorySegment(SPECIES, MEMORY, left, ORDER);
        final IntVector second = IntVector.fromMemorySegment(SPECIES, MEMORY, right, ORDER);
        final FloatVector combinedLower = first.lanewise(VectorOperators.LSHL, Short.SIZE).reinterpretAsFloats()
            .lanewise(OP, second.lanewise(VectorOperators.LSHL, Short.SIZE).reinterpretAsFloats());
        final FloatVector combinedUpper = first.and(UPPER).reinterpretAsFloats()
            .lanewise(OP, second.and(UPPER).reinterpretAsFloats());
        final FloatVector lower = IS_AVERAGE ? combinedLower.div(divisor) : combinedLower;
        final FloatVector upper = IS_AVERAGE ? combinedUpper.div(divisor) : combinedUpper;
        final IntVector lowerBits = lower.reinterpretAsInts();
        final IntVector upperBits = upper.reinterpretAsInts();
        lowerBits.add(HALF).add(lowerBits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1))
            .blend(NAN, lower.compare(VectorOperators.NE, lower).cast(SPECIES))
            .lanewise(VectorOperators.LSHR, Short.SIZE)
            .or(upperBits.add(HALF).add(upperBits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1))
                .blend(NAN, upper.compare(VectorOperators.NE, upper).cast(SPECIES))
                .and(UPPER))
            .intoMemorySegment(MEMORY, dst, ORDER);
    }
}
