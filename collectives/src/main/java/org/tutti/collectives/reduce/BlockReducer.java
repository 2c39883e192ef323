/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

import java.lang.foreign.MemorySegment;

/**
 * Splits a reduction into blocks whose lengths fit an {@code int}: the JIT compiler optimizes loops over {@code int}s
 * best, and the number of elements is not limited.
 */
abstract class BlockReducer implements Reducer
{
    /** All memory of this process, so that access by address needs no object. */
    static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /** Maximum length of a block in bytes; a multiple of every vector length. */
    static final int BLOCK_LENGTH = 1 << 20;

    private final int elementSize;
    private final int blockLength;

    BlockReducer(final int elementSize)
    {
        this.elementSize = elementSize;
        blockLength = BLOCK_LENGTH - BLOCK_LENGTH % elementSize;
    }

    final int elementSize()
    {
        return elementSize;
    }

    @Override
    public final void reduce(final long left, final long right, final long dst, final long count)
    {
        final long length = count * elementSize;
        long done = 0;
        while (length - done > blockLength)
        {
            block(left + done, right + done, dst + done, blockLength);
            done += blockLength;
        }
        block(left + done, right + done, dst + done, (int)(length - done));
    }

    @Override
    public final void reduceAndFinish(
        final long left, final long right, final long dst, final long count, final int ranks)
    {
        final long length = count * elementSize;
        long done = 0;
        while (length - done > blockLength)
        {
            finishBlock(left + done, right + done, dst + done, blockLength, ranks);
            done += blockLength;
        }
        finishBlock(left + done, right + done, dst + done, (int)(length - done), ranks);
    }

    /**
     * Reduces one block.
     *
     * @param left   address of the left operands.
     * @param right  address of the right operands.
     * @param dst    address of the results.
     * @param length length in bytes, a multiple of the element size.
     */
    abstract void block(long left, long right, long dst, int length);

    /**
     * Reduces one block, which makes its elements final. Differs from {@link #block} only for averages and NaNs.
     *
     * @param left   address of the left operands.
     * @param right  address of the right operands.
     * @param dst    address of the results.
     * @param length length in bytes, a multiple of the element size.
     * @param ranks  number of inputs combined.
     */
    void finishBlock(final long left, final long right, final long dst, final int length, final int ranks)
    {
        block(left, right, dst, length);
    }
}
