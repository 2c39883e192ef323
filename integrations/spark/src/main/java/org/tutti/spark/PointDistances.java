/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/** The weights of a partition's points as candidates for centers. */
final class PointDistances
{
    private final List<LabeledPoint> points;
    private final double[] weights;
    private boolean hasCenter;

    PointDistances(final List<LabeledPoint> points)
    {
        this.points = points;
        weights = new double[points.size()];
        Arrays.fill(weights, 1);
    }

    /**
     * Adds a center.
     *
     * @param centers  memory that contains the center.
     * @param offset   index of the center's first number.
     * @param features number of features.
     */
    void addCenter(final MemorySegment centers, final long offset, final int features)
    {
        final double norm = CenterKernel.squaredNorm(centers, offset, features);
        for (int i = 0; i < weights.length; i++)
        {
            final LabeledPoint point = points.get(i);
            final double distance = Math.max(0, norm - 2 * point.dot(centers, offset) + point.squaredNorm());
            weights[i] = hasCenter ? Math.min(weights[i], distance) : distance;
        }
        hasCenter = true;
    }

    double sum()
    {
        double sum = 0;
        for (final double weight : weights)
        {
            sum += weight;
        }
        return sum;
    }

    /**
     * Returns the first point that, together with those before it, weighs more than the target; if rounding has made
     * the target too large, the last point with a weight; if none has, the first point.
     */
    LabeledPoint find(final double target)
    {
        double sum = 0;
        int found = 0;
        for (int i = 0; i < weights.length && sum <= target; i++)
        {
            sum += weights[i];
            found = weights[i] > 0 ? i : found;
        }
        return points.get(found);
    }
}
