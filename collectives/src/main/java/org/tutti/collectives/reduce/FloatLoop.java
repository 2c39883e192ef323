/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over {@code float}s. {@link LoopTemplate} copies this class for each operation. */
final class FloatLoop extends BlockReducer
{
    private static final FloatMath MATH = LoopTemplate.constant(MethodHandles.lookup(), FloatMath.class);

    FloatLoop()
    {
        super(Float.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Float.BYTES)
        {
            final float first = UnsafeApi.getFloat(left + i);
            final float second = UnsafeApi.getFloat(right + i);
            UnsafeApi.putFloat(dst + i, MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Float.BYTES)
        {
            final float first = UnsafeApi.getFloat(left + i);
            final float second = UnsafeApi.getFloat(right + i);
            UnsafeApi.putFloat(dst + i, MATH.finish(first, second, ranks));
        }
    }
}
