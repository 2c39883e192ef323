/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

/** A plain loop over {@code double}s: a {@link Template}. */
final class DoubleLoop extends BlockReducer
{
    private static final DoubleMath MATH = Template.constant(MethodHandles.lookup(), DoubleMath.class);

    DoubleLoop()
    {
        super(Double.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            final double first = MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i);
            final double second = MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i);
            MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            final double first = MEMORY.get(JAVA_DOUBLE_UNALIGNED, left + i);
            final double second = MEMORY.get(JAVA_DOUBLE_UNALIGNED, right + i);
            MEMORY.set(JAVA_DOUBLE_UNALIGNED, dst + i, MATH.finish(first, second, ranks));
        }
    }
}
