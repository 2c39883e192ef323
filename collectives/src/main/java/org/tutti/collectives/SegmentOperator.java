/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/** A user's operation on many elements at once: {@link ReduceOp#ofSegments}. */
@FunctionalInterface
public interface SegmentOperator
{
    /**
     * Combines elements: {@code results[i] = left[i] op right[i]}. Called by the thread that calls the collective, many
     * times per call, with pieces of any length. The operation must be associative, and depend on nothing but the
     * operands.
     *
     * @param left    operands of the lower ranks; read-only. Valid during the call.
     * @param right   operands of the higher ranks; read-only. Valid during the call.
     * @param results to write; the same memory as {@code left} or {@code right}, or apart from both. Valid during the
     *                call.
     * @param count   elements in each, at least 1. No alignment beyond the element's is promised.
     */
    void combine(MemorySegment left, MemorySegment right, MemorySegment results, long count);
}
