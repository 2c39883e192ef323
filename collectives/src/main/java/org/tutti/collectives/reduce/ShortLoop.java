/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over elements of 16 bits. {@link LoopTemplate} copies this class for each operation. */
final class ShortLoop extends BlockReducer
{
    private static final IntMath MATH = LoopTemplate.constant(MethodHandles.lookup(), IntMath.class);

    ShortLoop()
    {
        super(Short.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Short.BYTES)
        {
            final int first = UnsafeApi.getShort(left + i);
            final int second = UnsafeApi.getShort(right + i);
            UnsafeApi.putShort(dst + i, (short)MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Short.BYTES)
        {
            final int first = UnsafeApi.getShort(left + i);
            final int second = UnsafeApi.getShort(right + i);
            UnsafeApi.putShort(dst + i, (short)MATH.finish(first, second, ranks));
        }
    }
}
