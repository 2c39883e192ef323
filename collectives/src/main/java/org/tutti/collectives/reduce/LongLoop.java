/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over integers of 64 bits. {@link LoopTemplate} copies this class for each operation. */
final class LongLoop extends BlockReducer
{
    private static final LongMath MATH = LoopTemplate.constant(MethodHandles.lookup(), LongMath.class);

    LongLoop()
    {
        super(Long.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            final long first = UnsafeApi.getLong(left + i);
            final long second = UnsafeApi.getLong(right + i);
            UnsafeApi.putLong(dst + i, MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            final long first = UnsafeApi.getLong(left + i);
            final long second = UnsafeApi.getLong(right + i);
            UnsafeApi.putLong(dst + i, MATH.finish(first, second, ranks));
        }
    }
}
