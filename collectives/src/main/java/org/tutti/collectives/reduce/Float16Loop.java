/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.invoke.MethodHandles;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

/**
 * Combines binary16s as {@code float}s with the processor's conversions. The JIT compiler vectorizes a loop only if it
 * knows that source and destination do not overlap, as it does if one is native memory and the other a Java array. So
 * results are written to arrays and copied from there to memory, up to {@link Float16Buffer#LENGTH} bytes at a time.
 * {@link LoopTemplate} copies this class for each operation.
 */
final class Float16Loop extends BlockReducer
{
    private static final NarrowMath KERNEL = LoopTemplate.constant(MethodHandles.lookup(), NarrowMath.class);
    private static final FloatMath MATH = KERNEL.math();
    private static final boolean IS_AVERAGE = KERNEL.isAverage();
    private static final int NAN = KERNEL.format().nan();
    private static final int MAGNITUDE = (1 << KERNEL.format().magnitudeBits()) - 1;
    /** Adding this to a magnitude sets the sign bit if, and only if, the magnitude is that of a NaN. */
    private static final int TO_SIGN = MAGNITUDE - KERNEL.format().greatest() - 1;
    /**
     * Minimum length in bytes for the loops over arrays: for short lengths they are slower, and the compiler, which
     * profiles trip counts, would unroll them less.
     */
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
            final Float16Buffer piece = Float16Buffer.ofThread();
            final short[] results = piece.results();
            final short[] nans = piece.nans();
            while (length - done >= LEAST_LENGTH)
            {
                final int count = Math.min(Float16Buffer.LENGTH, length - done) / Short.BYTES;
                combine(left + done, right + done, results, nans, count, ranks);
                write(results, nans, dst + done, count);
                done += count * Short.BYTES;
            }
        }
        for (; done < length; done += Short.BYTES)
        {
            final short result = combine(
                MEMORY.get(JAVA_SHORT_UNALIGNED, left + done), MEMORY.get(JAVA_SHORT_UNALIGNED, right + done), ranks);
            MEMORY.set(JAVA_SHORT_UNALIGNED, dst + done, canonicalNan(result, nan(result)));
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
            MEMORY.set(JAVA_SHORT_UNALIGNED, dst + Short.BYTES * (long)i, canonicalNan(results[i], nans[i]));
        }
    }

    private static short combine(final short left, final short right, final int divisor)
    {
        final float result = MATH.combine(Float.float16ToFloat(left), Float.float16ToFloat(right));
        return Float.floatToFloat16(IS_AVERAGE && divisor != 1 ? result / divisor : result);
    }

    /** Returns a negative number if, and only if, {@code result} is NaN. */
    private static short nan(final short result)
    {
        return (short)((result & MAGNITUDE) + TO_SIGN);
    }

    /**
     * Returns the canonical NaN if {@code nan} is negative, else {@code result}. Selects with bit operations: the JIT
     * compiler vectorizes these for {@code short}s if it loads {@code nan} from memory.
     */
    private static short canonicalNan(final short result, final short nan)
    {
        final int isNan = nan >> (Short.SIZE - 1);
        return (short)((result & ~isNan) | (NAN & isNan));
    }
}
