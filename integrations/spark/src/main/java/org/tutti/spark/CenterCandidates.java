/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/**
 * All points as candidates for the first centers of a clustering. Each has a weight: 1 until there is a center, then
 * the squared distance to the nearest center. All ranks make the same calls.
 */
interface CenterCandidates
{
    /**
     * Returns the weights of the partitions.
     *
     * @return sum of the weights of each partition's points, the same on all ranks.
     */
    double[] weights();

    /**
     * Makes a point the next center: copies it to the parameters of the model, after the centers before it.
     *
     * @param partition partition of the point, which has at least one point.
     * @param target    weight that the point and those before it in the partition must exceed together.
     */
    void choose(int partition, double target);
}
