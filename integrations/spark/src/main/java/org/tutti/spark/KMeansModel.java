/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;

/** The clusters that a {@link KMeans} has found. Immutable. */
public final class KMeansModel implements Serializable
{
    private static final long serialVersionUID = 1L;

    /** Not the kernel: Kryo, which programs often choose as Spark's serializer, cannot read records. */
    private final int clusters;
    private final int features;
    /** As the kernel's parameters. */
    private final double[] parameters;
    private final double cost;
    private final int iterations;
    private final long iterationsNs;
    private final boolean isConverged;

    KMeansModel(final int clusters, final int features, final double[] parameters, final double cost,
        final int iterations, final long iterationsNs, final boolean isConverged)
    {
        this.clusters = clusters;
        this.features = features;
        this.parameters = parameters;
        this.cost = cost;
        this.iterations = iterations;
        this.iterationsNs = iterationsNs;
        this.isConverged = isConverged;
    }

    /**
     * Returns the number of clusters.
     *
     * @return number of clusters, at least 1.
     */
    public int clusters()
    {
        return clusters;
    }

    /**
     * Returns the center of a cluster.
     *
     * @param cluster index of the cluster, from 0.
     * @return a new array with a value for each feature.
     * @throws IndexOutOfBoundsException if there is no such cluster.
     */
    public double[] center(final int cluster)
    {
        final int start = Objects.checkIndex(cluster, clusters) * features;
        return Arrays.copyOfRange(parameters, start, start + features);
    }

    /**
     * Returns the cost.
     *
     * @return sum of the squared distances of all points to their nearest centers, before the last iteration moved
     *         these.
     */
    public double cost()
    {
        return cost;
    }

    /**
     * Returns the number of iterations.
     *
     * @return number of iterations, at least 1.
     */
    public int iterations()
    {
        return iterations;
    }

    /**
     * Returns whether the centers have come to rest.
     *
     * @return false if a center moved farther than the tolerance in the last iteration.
     */
    public boolean converged()
    {
        return isConverged;
    }

    /**
     * Finds the cluster of a point.
     *
     * @param point point with as many features as those of the training.
     * @return index of the cluster with the nearest center, from 0.
     * @throws IllegalArgumentException if the number of features differs.
     */
    public int predict(final LabeledPoint point)
    {
        if (point.features() != features)
        {
            throw new IllegalArgumentException(
                "feature counts of point and model differ: " + point.features() + " != " + features);
        }
        return new CenterKernel(clusters).nearest(point, MemorySegment.ofArray(parameters));
    }

    /** Returns the mean time of an iteration in nanoseconds. */
    long iterationNs()
    {
        return iterationsNs / iterations;
    }
}
