/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

/**
 * Assigns points to their nearest centers. The parameters are the centers, one after another, then their squared norms;
 * the sums are those of each center's points, then the numbers of these points, then the sum of all squared distances.
 *
 * @param centers number of centers.
 */
record CenterKernel(int centers) implements PointKernel
{
    private static final int MAX_SUMS = Integer.MAX_VALUE - 8;

    @Override
    public int sums(final int features)
    {
        final long sums = (long)centers * features + centers + 1;
        if (sums > MAX_SUMS)
        {
            throw new IllegalArgumentException(centers + " clusters of " + features + " features have " + sums +
                " sums, but an array has at most " + MAX_SUMS + ": use fewer clusters or features");
        }
        return (int)sums;
    }

    @Override
    public void add(final LabeledPoint point, final double[] parameters, final double[] sums)
    {
        final int features = point.features();
        final int nearest = nearest(point, parameters);
        point.addTo(1, sums, nearest * features);
        sums[centers * features + nearest]++;
        sums[sums.length - 1] += Math.max(0, distance(point, parameters, nearest) + point.squaredNorm());
    }

    int nearest(final LabeledPoint point, final double[] parameters)
    {
        int nearest = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int center = 0; center < centers; center++)
        {
            final double distance = distance(point, parameters, center);
            if (distance < least)
            {
                nearest = center;
                least = distance;
            }
        }
        return nearest;
    }

    /** Returns the squared distance to a center, less the squared norm of the point, which is the same for all. */
    private double distance(final LabeledPoint point, final double[] parameters, final int center)
    {
        final int features = point.features();
        return parameters[centers * features + center] - 2 * point.dot(parameters, center * features);
    }

    /** Sets the squared norms that follow the centers. */
    void setNorms(final double[] parameters, final int features)
    {
        for (int center = 0; center < centers; center++)
        {
            double norm = 0;
            for (int i = center * features; i < (center + 1) * features; i++)
            {
                norm += parameters[i] * parameters[i];
            }
            parameters[centers * features + center] = norm;
        }
    }
}
