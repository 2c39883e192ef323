/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;

/**
 * A differentiable convex function whose vectors are divided among ranks: each has a chunk of every vector. All ranks
 * make the same calls.
 */
interface Objective
{
    /**
     * Returns the length of this rank's chunk.
     *
     * @return number of elements, from 0.
     */
    int length();

    /**
     * Returns this rank's chunk of the point, which the caller sets.
     *
     * @return {@link #length()} numbers.
     */
    MemorySegment point();

    /**
     * Computes value and gradient at the point.
     *
     * @return the value, the same on all ranks.
     */
    double evaluate();

    /**
     * Returns this rank's chunk of the gradient at the point of the last {@link #evaluate()}.
     *
     * @return {@link #length()} numbers, valid until the next {@link #evaluate()}.
     */
    MemorySegment gradient();

    /**
     * Sums arrays over all ranks.
     *
     * @param values values of this rank; set to the sums, which are the same on all ranks.
     */
    void sum(double[] values);
}
