/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.SegmentOperator;

import java.lang.foreign.MemorySegment;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** Calls a user-defined operation: for every element, or once per block, with memory segments of just that block. */
final class UserReducer extends BlockReducer
{
    private final DataType type;
    private final Object function;

    UserReducer(final DataType type, final ReduceOp op)
    {
        super(type.size());
        this.type = type;
        function = op.function();
    }

    @Override
    void block(final long left, final long right, final long dst, final int length)
    {
        switch (function)
        {
            case final SegmentOperator segments -> segments(segments, left, right, dst, length);
            case final DoubleBinaryOperator doubles ->
            {
                for (int i = 0; i < length; i += type.size())
                {
                    Elements.setDouble(type, MEMORY, dst + i, doubles.applyAsDouble(
                        Elements.getDouble(type, MEMORY, left + i), Elements.getDouble(type, MEMORY, right + i)));
                }
            }
            case final LongBinaryOperator longs ->
            {
                for (int i = 0; i < length; i += type.size())
                {
                    Elements.setLong(type, MEMORY, dst + i, longs.applyAsLong(
                        Elements.getLong(type, MEMORY, left + i), Elements.getLong(type, MEMORY, right + i)));
                }
            }
            default -> throw new IllegalStateException(String.valueOf(function));
        }
    }

    private void segments(
        final SegmentOperator operator, final long left, final long right, final long dst, final int length)
    {
        if (length > 0)
        {
            operator.combine(slice(left, length).asReadOnly(), slice(right, length).asReadOnly(), slice(dst, length),
                length / type.size());
        }
    }

    private static MemorySegment slice(final long address, final int length)
    {
        return MEMORY.asSlice(address, length);
    }
}
