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
     * Combines elements: {@code results[i] = left[i] op right[i]}. Called many times per collective, with pieces of any
     * length, by whatever thread goes on with it: the one that makes a blocking call; for a request also one that waits
     * for something else of the communicator, or the communicator's own. Never by two at once for one communicator. The
     * operation must be associative, depend on nothing but the operands, and return soon: it must not call the
     * communicator, and {@link Communicator#close()} waits for it, up to its timeout.
     *
     * @param left    operands, if it is not commutative those of the lower ranks; read-only. Valid during the call.
     * @param right   operands, those of the higher ranks then; read-only. Valid during the call.
     * @param results results to write; the same memory as {@code left} or {@code right}, or apart from both. Valid
     *                during the call.
     * @param count   elements in each, at least 1. No alignment beyond the element's is promised.
     */
    void combine(MemorySegment left, MemorySegment right, MemorySegment results, long count);
}
