/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;

import java.lang.foreign.ValueLayout;

/**
 * Clustering by Lloyd's algorithm; k-means++ chooses the first centers. Each rank of a barrier stage keeps the points
 * of one partition; one allreduce per iteration sums the points of each cluster. Runs with one seed on the same
 * partitions give the same bits, with {@code TUTTI_REPRODUCIBLE=1} on any hosts. Setters return this. For one thread at
 * a time.
 */
public final class KMeans
{
    private final int clusters;
    private long seed = 1;
    private int maxIterations = 20;
    private double tolerance = 1e-4;

    private KMeans(final int clusters)
    {
        this.clusters = clusters;
    }

    /**
     * Creates a clustering.
     *
     * @param clusters number of clusters, at least 1.
     * @return a new clustering.
     * @throws IllegalArgumentException if it is less than 1.
     */
    public static KMeans of(final int clusters)
    {
        if (clusters < 1)
        {
            throw new IllegalArgumentException("number of clusters must be at least 1: " + clusters);
        }
        return new KMeans(clusters);
    }

    /**
     * Sets the seed of the choice of the first centers.
     *
     * @param value seed; by default 1.
     * @return this.
     */
    public KMeans seed(final long value)
    {
        seed = value;
        return this;
    }

    /**
     * Sets the maximum number of iterations.
     *
     * @param value number of iterations, at least 1; by default 20.
     * @return this.
     * @throws IllegalArgumentException if it is less than 1.
     */
    public KMeans maxIterations(final int value)
    {
        if (value < 1)
        {
            throw new IllegalArgumentException("maxIterations must be at least 1: " + value);
        }
        maxIterations = value;
        return this;
    }

    /**
     * Sets when to stop: when no center has moved farther than this.
     *
     * @param value distance, at least 0; by default 1e-4.
     * @return this.
     * @throws IllegalArgumentException if it is negative or NaN.
     */
    public KMeans tolerance(final double value)
    {
        if (!(value >= 0))
        {
            throw new IllegalArgumentException("tolerance must be at least 0: " + value);
        }
        tolerance = value;
        return this;
    }

    /**
     * Clusters by collectives. If a task fails, Spark starts again.
     *
     * @param data points, at least as many as clusters, in at most as many partitions as tasks can run at once.
     * @return the model.
     * @throws IllegalArgumentException if there are fewer points than clusters, more partitions than slots for tasks,
     *                                  different numbers of features, or values so large that the cost is infinite.
     */
    public KMeansModel fit(final JavaRDD<LabeledPoint> data)
    {
        return Training.onRanks(data, new CenterKernel(clusters), loop());
    }

    /**
     * Clusters by Spark's {@code treeAggregate}, for comparison: the same up to rounding.
     *
     * @param data points, at least as many as clusters, which should be cached.
     * @return the model.
     * @throws IllegalArgumentException if the points cannot be clustered, as in {@link #fit}.
     */
    public KMeansModel fitByTreeAggregate(final JavaRDD<LabeledPoint> data)
    {
        return Training.onDriver(data, new CenterKernel(clusters), loop());
    }

    TrainingLoop<KMeansModel> loop()
    {
        // The lambda must not refer to this, which is not serializable.
        final CenterKernel kernel = new CenterKernel(clusters);
        final long chosenSeed = seed;
        final int iterations = maxIterations;
        final double stop = tolerance;
        return (vectors, features, points) ->
        {
            if (points < kernel.centers())
            {
                throw new InvalidDataException(
                    kernel.centers() + " clusters need at least as many points, but there are " + points);
            }
            FirstCenters.choose(vectors.candidates(features), kernel.centers(), chosenSeed);
            return cluster(vectors, kernel, features, iterations, stop);
        };
    }

    /** Moves the centers until they rest. Collective. */
    private static KMeansModel cluster(final ModelVectors vectors, final CenterKernel kernel, final int features,
        final int maxIterations, final double tolerance)
    {
        kernel.setNorms(vectors.parameters(), features);
        final long startNs = System.nanoTime();
        int iterations = 0;
        double[] cost = {0};
        double moved = Double.POSITIVE_INFINITY;
        while (iterations < maxIterations && moved > tolerance * tolerance)
        {
            cost = new double[] {vectors.addPoints()};
            vectors.sumAll();
            moved = kernel.move(vectors.parameters(), vectors.sums(), features);
            iterations++;
        }
        final long ns = System.nanoTime() - startNs;
        vectors.sum(cost);
        if (!Double.isFinite(cost[0]))
        {
            throw new InvalidDataException(
                "the sum of squared distances is " + cost[0] + ", as features are too large: scale them");
        }
        final double[] parameters = vectors.parameters().asSlice(0, (long)kernel.length(features) * Double.BYTES)
            .toArray(ValueLayout.JAVA_DOUBLE);
        return new KMeansModel(kernel.centers(), features, parameters, cost[0], iterations, ns,
            moved <= tolerance * tolerance);
    }
}
