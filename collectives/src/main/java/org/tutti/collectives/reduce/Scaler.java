/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import org.tutti.collectives.DataType;
import org.tutti.collectives.Elements;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Multiplies inputs by the scale of PREMUL_SUM: reduces them, by PROD, with a block of memory in which every element is
 * the scale. Thread-safe; allocates nothing after construction.
 */
public final class Scaler
{
    private static final int LENGTH = 1 << 12;

    private final Reducer product;
    private final MemorySegment scales;
    private final int elementSize;
    private final long count;

    /**
     * Creates a scaler.
     *
     * @param type  type of the elements.
     * @param op    a PREMUL_SUM that is defined on the type.
     * @param count number of elements of an input, from 0.
     */
    public Scaler(final DataType type, final ReduceOp op, final long count)
    {
        this.count = count;
        product = Reducers.of(type, ReduceOp.PROD);
        scales = Arena.ofAuto().allocate(LENGTH, Long.BYTES);
        elementSize = type.size();
        for (long offset = 0; offset < LENGTH; offset += elementSize)
        {
            if (type.isFloating())
            {
                Elements.setDouble(type, scales, offset, op.scale());
            }
            else
            {
                Elements.setLong(type, scales, offset, (long)op.scale());
            }
        }
    }

    /**
     * Returns the length of an input.
     *
     * @return length in bytes.
     */
    public long length()
    {
        return count * elementSize;
    }

    /**
     * Computes {@code dst[i] = src[i] * scale}.
     *
     * @param src address of the input.
     * @param dst address of the products; may equal src.
     */
    public void scale(final long src, final long dst)
    {
        final int most = LENGTH / elementSize;
        for (long done = 0; done < count; done += most)
        {
            final long offset = done * elementSize;
            product.reduce(src + offset, scales.address(), dst + offset, Math.min(most, count - done));
        }
    }
}
