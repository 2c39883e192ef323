/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/**
 * Combines elements of one type by one operation. Thread-safe; allocates only what it keeps: at a thread's first call,
 * and at the first for a number of ranks.
 * <p>
 * Addresses are virtual addresses of this process, aligned to the element's size at least. The destination may be the
 * same range as either source, but must not overlap one otherwise.
 */
public interface Reducer
{
    /**
     * {@code dst[i] = left[i] op right[i]}.
     *
     * @param left  address of the left operands.
     * @param right address of the right operands.
     * @param dst   address of the results.
     * @param count elements, from 0, beyond 2^31 if need be.
     */
    void reduce(long left, long right, long dst, long count);

    /**
     * {@code dst[i] = finish(left[i] op right[i])}: for AVG the quotient by the number of ranks, else as
     * {@link #reduce}.
     *
     * @param left  address of the left operands.
     * @param right address of the right operands.
     * @param dst   address of the results.
     * @param count elements.
     * @param ranks number of inputs combined.
     */
    void reduceAndFinish(long left, long right, long dst, long count, int ranks);
}
