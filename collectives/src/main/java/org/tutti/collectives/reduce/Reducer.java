/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.reduce;

/**
 * Combines elements of one type by one operation. Thread-safe. Allocates only data that it keeps: at the first call of
 * a thread, and at the first call for a number of ranks.
 * <p>
 * Addresses are virtual addresses of this process, aligned at least to the element size. The destination may be the
 * same range as either source, but must not overlap a source otherwise.
 */
public interface Reducer
{
    /**
     * Computes {@code dst[i] = left[i] op right[i]}.
     *
     * @param left  address of the left operands.
     * @param right address of the right operands.
     * @param dst   address of the results.
     * @param count number of elements, from 0; may exceed 2^31.
     */
    void reduce(long left, long right, long dst, long count);

    /**
     * Computes {@code dst[i] = finish(left[i] op right[i])}, where finish divides by the number of ranks for AVG and
     * makes NaNs canonical; otherwise as {@link #reduce}.
     *
     * @param left  address of the left operands.
     * @param right address of the right operands.
     * @param dst   address of the results.
     * @param count number of elements, from 0.
     * @param ranks number of inputs combined.
     */
    void reduceAndFinish(long left, long right, long dst, long count, int ranks);
}
