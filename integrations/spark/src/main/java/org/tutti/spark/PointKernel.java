/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;

/** What a training computes from each point: a cost, and its contribution to sums over all points. Stateless. */
interface PointKernel extends Serializable
{
    /** Length of the longest array. */
    int MAX_LENGTH = Integer.MAX_VALUE - 8;

    /**
     * Returns the number of sums, and of parameters.
     *
     * @param features number of features.
     * @return length of the vectors, less than {@link #MAX_LENGTH}.
     * @throws InvalidDataException if there are too many features.
     */
    int length(int features);

    /**
     * Returns whether the kernel can use a label.
     *
     * @param label label of a point.
     * @return false if it is invalid.
     */
    boolean isValid(double label);

    /**
     * Returns which labels are valid.
     *
     * @return text for messages, after "labels must be".
     */
    String validLabels();

    /**
     * Adds the contribution of a point.
     *
     * @param point      the point, with a valid label.
     * @param parameters current parameters of the model.
     * @param sums       sums to add to.
     * @return cost of the point, at least 0.
     */
    double add(LabeledPoint point, MemorySegment parameters, MemorySegment sums);
}
