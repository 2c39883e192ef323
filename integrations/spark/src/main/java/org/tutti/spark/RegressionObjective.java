/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The mean loss of a linear model over all points, plus half the sum of its squared weights, times a factor. */
final class RegressionObjective implements Objective
{
    private final ModelVectors vectors;
    private final int length;
    /** Number of weights in this rank's chunk: all its parameters but the intercept, which is the last one. */
    private final int weights;
    private final long points;
    private final double regularization;

    /**
     * Creates an objective.
     *
     * @param vectors        weights and intercept, and their gradient.
     * @param features       number of features.
     * @param points         number of points.
     * @param regularization factor of half the sum of the squared weights.
     */
    RegressionObjective(
        final ModelVectors vectors, final int features, final long points, final double regularization)
    {
        this.vectors = vectors;
        length = vectors.chunkLength();
        weights = Math.clamp(features - vectors.chunkStart(), 0, length);
        this.points = points;
        this.regularization = regularization;
    }

    @Override
    public int length()
    {
        return length;
    }

    @Override
    public MemorySegment point()
    {
        return chunk(vectors.parameters());
    }

    @Override
    public MemorySegment gradient()
    {
        return chunk(vectors.sums());
    }

    private MemorySegment chunk(final MemorySegment vector)
    {
        return vector.asSlice(length == 0 ? 0 : vectors.chunkStart() * Double.BYTES, (long)length * Double.BYTES);
    }

    @Override
    public double evaluate()
    {
        vectors.gatherParameters();
        final double loss = vectors.addPoints();
        vectors.sumChunks();
        final MemorySegment point = point();
        final MemorySegment gradient = gradient();
        double squares = 0;
        for (int i = 0; i < length; i++)
        {
            final double weight = i < weights ? point.getAtIndex(ValueLayout.JAVA_DOUBLE, i) : 0;
            squares += weight * weight;
            gradient.setAtIndex(ValueLayout.JAVA_DOUBLE, i,
                gradient.getAtIndex(ValueLayout.JAVA_DOUBLE, i) / points + regularization * weight);
        }
        final double[] sums = {loss, squares};
        vectors.sum(sums);
        return sums[0] / points + regularization * sums[1] / 2;
    }

    @Override
    public void sum(final double[] values)
    {
        vectors.sum(values);
    }

    /** Returns the first parameters at the point, those of all ranks. Collective. */
    double[] parameters(final int count)
    {
        vectors.gatherParameters();
        return vectors.parameters().asSlice(0, (long)count * Double.BYTES).toArray(ValueLayout.JAVA_DOUBLE);
    }
}
