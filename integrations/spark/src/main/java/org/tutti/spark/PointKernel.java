/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;

/** What a training computes from each point: its contribution to sums over all points. Stateless. */
interface PointKernel extends Serializable
{
    /**
     * Returns the number of sums.
     *
     * @param features number of features.
     * @return length of the array of sums.
     */
    int sums(int features);

    /**
     * Adds the contribution of a point.
     *
     * @param point      the point.
     * @param parameters current parameters of the model.
     * @param sums       sums to add to.
     */
    void add(LabeledPoint point, double[] parameters, double[] sums);
}
