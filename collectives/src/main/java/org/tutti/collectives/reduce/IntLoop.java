/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over integers of 32 bits. {@link LoopTemplate} copies this class for each operation. */
final class IntLoop extends BlockReducer
{
    private static final IntMath MATH = LoopTemplate.constant(MethodHandles.lookup(), IntMath.class);

    IntLoop()
    {
        super(Integer.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Integer.BYTES)
        {
            final int first = UnsafeApi.getInt(left + i);
            final int second = UnsafeApi.getInt(right + i);
            UnsafeApi.putInt(dst + i, MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Integer.BYTES)
        {
            final int first = UnsafeApi.getInt(left + i);
            final int second = UnsafeApi.getInt(right + i);
            UnsafeApi.putInt(dst + i, MATH.finish(first, second, ranks));
        }
    }
}
