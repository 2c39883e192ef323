/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Assigns points to their nearest centers. The parameters are the centers, one after another, then their squared norms;
 * the sums are those of each center's points, then the numbers of these points; the cost is the squared distance.
 *
 * @param centers number of centers.
 */
record CenterKernel(int centers) implements PointKernel
{
    @Override
    public int length(final int features)
    {
        final long length = (long)centers * features + centers;
        if (length >= MAX_LENGTH)
        {
            throw new InvalidDataException(centers + " clusters of " + features + " features have " + length +
                " parameters, but an array has less than " + MAX_LENGTH + ": use fewer clusters or features");
        }
        return (int)length;
    }

    @Override
    public boolean isValid(final double label)
    {
        return true;
    }

    @Override
    public String validLabels()
    {
        return "any numbers";
    }

    @Override
    public double add(final LabeledPoint point, final MemorySegment parameters, final MemorySegment sums)
    {
        final long features = point.features();
        final int nearest = nearest(point, parameters);
        point.addTo(1, sums, nearest * features);
        final long count = centers * features + nearest;
        sums.setAtIndex(ValueLayout.JAVA_DOUBLE, count, sums.getAtIndex(ValueLayout.JAVA_DOUBLE, count) + 1);
        return Math.max(0, distance(point, parameters, nearest) + point.squaredNorm());
    }

    int nearest(final LabeledPoint point, final MemorySegment parameters)
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
    private double distance(final LabeledPoint point, final MemorySegment parameters, final int center)
    {
        final long features = point.features();
        return parameters.getAtIndex(ValueLayout.JAVA_DOUBLE, centers * features + center) -
            2 * point.dot(parameters, center * features);
    }

    /**
     * Sets the squared norms that follow the centers.
     *
     * @param parameters parameters with centers.
     * @param features   number of features.
     */
    void setNorms(final MemorySegment parameters, final int features)
    {
        for (int center = 0; center < centers; center++)
        {
            parameters.setAtIndex(ValueLayout.JAVA_DOUBLE, (long)centers * features + center,
                squaredNorm(parameters, (long)center * features, features));
        }
    }

    static double squaredNorm(final MemorySegment vectors, final long offset, final int features)
    {
        double norm = 0;
        for (int i = 0; i < features; i++)
        {
            final double value = vectors.getAtIndex(ValueLayout.JAVA_DOUBLE, offset + i);
            norm += value * value;
        }
        return norm;
    }

    /**
     * Moves centers to the means of their points; a center without points stays.
     *
     * @param parameters parameters of the model; set to the new centers and their norms.
     * @param sums       sums over all points.
     * @param features   number of features.
     * @return longest squared distance by which a center has moved.
     */
    double move(final MemorySegment parameters, final MemorySegment sums, final int features)
    {
        double longest = 0;
        for (int center = 0; center < centers; center++)
        {
            final long norm = (long)centers * features + center;
            final double points = sums.getAtIndex(ValueLayout.JAVA_DOUBLE, norm);
            if (points > 0)
            {
                longest = Math.max(longest, move(parameters, sums, points, (long)center * features, features));
                parameters.setAtIndex(ValueLayout.JAVA_DOUBLE, norm,
                    squaredNorm(parameters, (long)center * features, features));
            }
        }
        return longest;
    }

    private static double move(final MemorySegment parameters, final MemorySegment sums, final double points,
        final long offset, final int features)
    {
        double distance = 0;
        for (int i = 0; i < features; i++)
        {
            final double mean = sums.getAtIndex(ValueLayout.JAVA_DOUBLE, offset + i) / points;
            final double moved = mean - parameters.getAtIndex(ValueLayout.JAVA_DOUBLE, offset + i);
            distance += moved * moved;
            parameters.setAtIndex(ValueLayout.JAVA_DOUBLE, offset + i, mean);
        }
        return distance;
    }
}
