/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/**
 * Combines binary16s as {@code float}s, by the processor's conversions: a {@link Template}. The JIT compiler makes
 * vectors of a loop only where it knows that what is written is not what is read, as of Java's arrays and the memory
 * outside them. So elements go from memory to arrays and from there to memory, a piece at a time.
 */
final class Float16Loop extends BlockReducer
{
    private static final NarrowMath KERNEL = Template.constant(MethodHandles.lookup(), NarrowMath.class);
    private static final FloatMath MATH = KERNEL.math();
    private static final boolean IS_AVERAGE = KERNEL.isAverage();
    private static final int NAN = KERNEL.format().nan();
    private static final int MAGNITUDE = (1 << KERNEL.format().magnitudeBits()) - 1;
    /** What takes the least NaN, and nothing below it, to the bit of the sign. */
    private static final int TO_SIGN = MAGNITUDE - KERNEL.format().greatest() - 1;
    /** Shorter ones are not worth it, and would make the compiler unroll less: it looks how often loops went round. */
    private static final int LEAST_LENGTH = 1 << 8;

    Float16Loop()
    {
        super(Short.BYTES);
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        finishBlock(left, right, dst, length, 1);
    }

    @Override
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        int done = 0;
        if (length >= LEAST_LENGTH)
        {
            final Float16Piece piece = Float16Piece.ofThread();
            final short[] results = piece.results();
            final short[] nans = piece.nans();
            while (length - done >= LEAST_LENGTH)
            {
                final int count = Math.min(Float16Piece.LENGTH, length - done) / Short.BYTES;
                combine(left + done, right + done, results, nans, count, ranks);
                write(results, nans, dst + done, count);
                done += count * Short.BYTES;
            }
        }
        for (; done < length; done += Short.BYTES)
        {
            final short result = combine(
                MEMORY.get(JAVA_SHORT_UNALIGNED, left + done), MEMORY.get(JAVA_SHORT_UNALIGNED, right + done), ranks);
            MEMORY.set(JAVA_SHORT_UNALIGNED, dst + done, oneNan(result, nan(result)));
        }
    }

    private static void combine(
        final long left,
        final long right,
        final short[] results,
        final short[] nans,
        final int count,
        final int divisor)
    {
        for (int i = 0; i < count; i++)
        {
            final short result = combine(
                MEMORY.get(JAVA_SHORT_UNALIGNED, left + Short.BYTES * (long)i),
                MEMORY.get(JAVA_SHORT_UNALIGNED, right + Short.BYTES * (long)i), divisor);
            results[i] = result;
            nans[i] = nan(result);
        }
    }

    private static void write(final short[] results, final short[] nans, final long dst, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            MEMORY.set(JAVA_SHORT_UNALIGNED, dst + Short.BYTES * (long)i, oneNan(results[i], nans[i]));
        }
    }

    private static short combine(final short left, final short right, final int divisor)
    {
        final float result = MATH.combine(Float.float16ToFloat(left), Float.float16ToFloat(right));
        return Float.floatToFloat16(IS_AVERAGE && divisor != 1 ? result / divisor : result);
    }

    /** Negative if it is NaN. */
    private static short nan(final short result)
    {
        return (short)((result & MAGNITUDE) + TO_SIGN);
    }

    /** Chooses by bits, which vectors of {@code short}s can do; {@code nan} must come from memory for that. */
    private static short oneNan(final short result, final short nan)
    {
        final int isNan = nan >> (Short.SIZE - 1);
        return (short)((result & ~isNan) | (NAN & isNan));
    }
}
