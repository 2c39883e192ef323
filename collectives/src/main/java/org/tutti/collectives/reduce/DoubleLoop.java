/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over {@code double}s. {@link LoopTemplate} copies this class for each operation. */
final class DoubleLoop extends BlockReducer
{
    private static final DoubleMath MATH = LoopTemplate.constant(MethodHandles.lookup(), DoubleMath.class);

    DoubleLoop()
    {
        super(Double.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            final double first = UnsafeApi.getDouble(left + i);
            final double second = UnsafeApi.getDouble(right + i);
            UnsafeApi.putDouble(dst + i, MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Double.BYTES)
        {
            final double first = UnsafeApi.getDouble(left + i);
            final double second = UnsafeApi.getDouble(right + i);
            UnsafeApi.putDouble(dst + i, MATH.finish(first, second, ranks));
        }
    }
}
