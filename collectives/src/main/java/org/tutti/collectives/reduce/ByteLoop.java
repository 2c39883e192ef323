/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;

import java.lang.invoke.MethodHandles;

/** A plain loop over elements of 8 bits. {@link LoopTemplate} copies this class for each operation. */
final class ByteLoop extends BlockReducer
{
    private static final IntMath MATH = LoopTemplate.constant(MethodHandles.lookup(), IntMath.class);

    ByteLoop()
    {
        super(Byte.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        for (int i = 0; i < length; i += Byte.BYTES)
        {
            final int first = UnsafeApi.getByte(left + i);
            final int second = UnsafeApi.getByte(right + i);
            UnsafeApi.putByte(dst + i, (byte)MATH.combine(first, second));
        }
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        for (int i = 0; i < length; i += Byte.BYTES)
        {
            final int first = UnsafeApi.getByte(left + i);
            final int second = UnsafeApi.getByte(right + i);
            UnsafeApi.putByte(dst + i, (byte)MATH.finish(first, second, ranks));
        }
    }
}
