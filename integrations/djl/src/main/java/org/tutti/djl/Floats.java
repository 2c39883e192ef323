/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Loops over FLOAT32 values in memory, and conversions to the 16-bit types. The JIT compiler vectorizes them. */
final class Floats
{
    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfInt BITS = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfShort NARROW = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final int MAGNITUDE = Integer.MAX_VALUE;
    private static final int INFINITY = 0x7F80_0000;
    private static final int NARROW_NAN = 0x7FC0;

    private Floats()
    {
    }

    static void copy(final MemorySegment from, final long fromIndex, final MemorySegment to, final long toIndex,
        final long count)
    {
        MemorySegment.copy(from, fromIndex * Float.BYTES, to, toIndex * Float.BYTES, count * Float.BYTES);
    }

    /** Copies values multiplied by a factor, in one pass. */
    static void copy(final MemorySegment from, final long fromIndex, final MemorySegment to, final long toIndex,
        final long count, final float factor)
    {
        if (factor == 1)
        {
            copy(from, fromIndex, to, toIndex, count);
            return;
        }
        for (long i = 0; i < count; i++)
        {
            to.set(FLOAT, (toIndex + i) * Float.BYTES, factor * from.get(FLOAT, (fromIndex + i) * Float.BYTES));
        }
    }

    /** Multiplies values in place. */
    static void scale(final MemorySegment values, final long index, final long count, final float factor)
    {
        if (factor == 1)
        {
            return;
        }
        for (long i = index; i < index + count; i++)
        {
            values.set(FLOAT, i * Float.BYTES, factor * values.get(FLOAT, i * Float.BYTES));
        }
    }

    static void fill(final MemorySegment to, final long index, final long count, final float value)
    {
        for (long i = index; i < index + count; i++)
        {
            to.set(FLOAT, i * Float.BYTES, value);
        }
    }

    static boolean areFinite(final MemorySegment values, final long index, final long count)
    {
        int greatest = 0;
        for (long i = index; i < index + count; i++)
        {
            greatest = Math.max(greatest, values.get(BITS, i * Float.BYTES) & MAGNITUDE);
        }
        return greatest < INFINITY;
    }

    static double sumOfSquares(final MemorySegment values, final long count)
    {
        double sum = 0;
        for (long i = 0; i < count; i++)
        {
            final double value = values.get(FLOAT, i * Float.BYTES);
            sum += value * value;
        }
        return sum;
    }

    static void add(final MemorySegment from, final MemorySegment to, final long count)
    {
        for (long i = 0; i < count; i++)
        {
            final long offset = i * Float.BYTES;
            to.set(FLOAT, offset, to.get(FLOAT, offset) + from.get(FLOAT, offset));
        }
    }

    static void encode(final WireType wire, final MemorySegment from, final MemorySegment to, final long count)
    {
        if (wire == WireType.FLOAT16)
        {
            for (long i = 0; i < count; i++)
            {
                to.set(NARROW, i * Short.BYTES, Float.floatToFloat16(from.get(FLOAT, i * Float.BYTES)));
            }
            return;
        }
        for (long i = 0; i < count; i++)
        {
            final int bits = from.get(BITS, i * Float.BYTES);
            // Rounds to nearest, ties to even; a NaN must not become infinity by its dropped bits.
            final int rounded = (bits + 0x7FFF + ((bits >>> Short.SIZE) & 1)) >>> Short.SIZE;
            to.set(NARROW, i * Short.BYTES, (short)((bits & MAGNITUDE) > INFINITY ? NARROW_NAN : rounded));
        }
    }

    static void decode(
        final WireType wire, final MemorySegment from, final long fromIndex, final MemorySegment to, final long count)
    {
        if (wire == WireType.FLOAT16)
        {
            for (long i = 0; i < count; i++)
            {
                to.set(FLOAT, i * Float.BYTES,
                    Float.float16ToFloat(from.get(NARROW, (fromIndex + i) * Short.BYTES)));
            }
            return;
        }
        for (long i = 0; i < count; i++)
        {
            to.set(BITS, i * Float.BYTES, from.get(NARROW, (fromIndex + i) * Short.BYTES) << Short.SIZE);
        }
    }
}
