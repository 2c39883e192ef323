/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/** A user-defined operation on many elements at once, for {@link ReduceOp#ofSegments}. */
@FunctionalInterface
public interface SegmentOperator
{
    /**
     * Combines elements: {@code results[i] = left[i] op right[i]}. The operation must be associative and depend only on
     * the operands. It must not call the communicator, and must return soon: {@link Communicator#close()} waits for it,
     * up to the timeout of the communicator.
     * <p>
     * Called many times per collective, with segments of any length, by the thread that progresses the collective: the
     * caller of a blocking call; for a request also a thread that waits for another call of the communicator, or the
     * communicator's progress thread. Never called concurrently for one communicator. Segments are guaranteed only the
     * alignment of an element.
     *
     * @param left    left operands, read-only; for a non-commutative operation those of the lower ranks. Valid during
     *                the call.
     * @param right   right operands, read-only; for a non-commutative operation those of the higher ranks. Valid during
     *                the call.
     * @param results results to write: the same memory as {@code left} or {@code right}, or disjoint from both. Valid
     *                during the call.
     * @param count   number of elements in each segment, at least 1.
     */
    void combine(MemorySegment left, MemorySegment right, MemorySegment results, long count);
}
