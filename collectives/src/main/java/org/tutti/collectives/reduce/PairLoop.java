/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.agrona.UnsafeApi;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

/**
 * Minimum or maximum of pairs of a value and an index; of equal values, the pair with the smaller index. Values are
 * ordered as in MIN and MAX: NaN takes precedence over all numbers, and -0.0 is less than 0.0.
 */
final class PairLoop extends BlockReducer
{
    private final DataType.Kind kind;
    private final boolean max;

    PairLoop(final DataType.Kind kind, final ReduceOp.Kind op)
    {
        super(kind == DataType.Kind.FLOAT32_INT32 || kind == DataType.Kind.INT32_INT32 ? Long.BYTES : 2 * Long.BYTES);
        this.kind = kind;
        max = op == ReduceOp.Kind.MAXLOC;
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        if (elementSize() == Long.BYTES)
        {
            ofInts(left, right, dst, length, kind == DataType.Kind.FLOAT32_INT32);
        }
        else
        {
            ofLongs(left, right, dst, length, kind == DataType.Kind.FLOAT64_INT64);
        }
    }

    private void ofInts(
        final long left, final long right, final long dst, final int length, final boolean floating)
    {
        for (int i = 0; i < length; i += Long.BYTES)
        {
            final int first = value(UnsafeApi.getInt(left + i), floating);
            final int second = value(UnsafeApi.getInt(right + i), floating);
            final int firstIndex = UnsafeApi.getInt(left + i + Integer.BYTES);
            final int secondIndex = UnsafeApi.getInt(right + i + Integer.BYTES);
            final int order = Integer.compare(
                floating ? rank(first) : first, floating ? rank(second) : second);
            final boolean isFirst = order == 0 ? firstIndex <= secondIndex : order > 0 == max;
            UnsafeApi.putInt(dst + i, isFirst ? first : second);
            UnsafeApi.putInt(dst + i + Integer.BYTES, isFirst ? firstIndex : secondIndex);
        }
    }

    private void ofLongs(
        final long left, final long right, final long dst, final int length, final boolean floating)
    {
        for (int i = 0; i < length; i += 2 * Long.BYTES)
        {
            final long first = value(UnsafeApi.getLong(left + i), floating);
            final long second = value(UnsafeApi.getLong(right + i), floating);
            final long firstIndex = UnsafeApi.getLong(left + i + Long.BYTES);
            final long secondIndex = UnsafeApi.getLong(right + i + Long.BYTES);
            final int order = Long.compare(
                floating ? rank(first) : first, floating ? rank(second) : second);
            final boolean isFirst = order == 0 ? firstIndex <= secondIndex : order > 0 == max;
            UnsafeApi.putLong(dst + i, isFirst ? first : second);
            UnsafeApi.putLong(dst + i + Long.BYTES, isFirst ? firstIndex : secondIndex);
        }
    }

    /** Maps all NaNs to the canonical one. */
    private static int value(final int bits, final boolean floating)
    {
        return floating ? Float.floatToIntBits(Float.intBitsToFloat(bits)) : bits;
    }

    private static long value(final long bits, final boolean floating)
    {
        return floating ? Double.doubleToLongBits(Double.longBitsToDouble(bits)) : bits;
    }

    /**
     * Maps floating-point bits to integers of the same order; NaN is the greatest for a maximum, the least for a
     * minimum.
     */
    private int rank(final int bits)
    {
        return !max && Float.isNaN(Float.intBitsToFloat(bits)) ? Integer.MIN_VALUE :
            bits ^ ((bits >> (Integer.SIZE - 1)) & Integer.MAX_VALUE);
    }

    private long rank(final long bits)
    {
        return !max && Double.isNaN(Double.longBitsToDouble(bits)) ? Long.MIN_VALUE :
            bits ^ ((bits >> (Long.SIZE - 1)) & Long.MAX_VALUE);
    }
}
