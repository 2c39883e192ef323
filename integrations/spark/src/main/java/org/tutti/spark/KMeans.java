/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;

import java.util.List;

/**
 * Clustering by Lloyd's algorithm, from points that are chosen at random. Each rank of a barrier stage keeps the points
 * of one partition; the centers are summed by one allreduce per iteration. Setters return this. For one thread at a
 * time.
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
     * @param data points, at least as many as clusters, in at most as many partitions as tasks can run at once. They
     *             are also read to choose the first centers, so they should be cached.
     * @return the model.
     * @throws IllegalArgumentException if there are fewer points than clusters, or more partitions than slots for
     *                                  tasks.
     */
    public KMeansModel fit(final JavaRDD<LabeledPoint> data)
    {
        return Training.onRanks(data, new CenterKernel(clusters), loop(data));
    }

    /**
     * Clusters by Spark's {@code treeAggregate}, for comparison: the same up to rounding.
     *
     * @param data points, at least as many as clusters, which should be cached.
     * @return the model.
     * @throws IllegalArgumentException if there are fewer points than clusters.
     */
    public KMeansModel fitByTreeAggregate(final JavaRDD<LabeledPoint> data)
    {
        return Training.onDriver(data, new CenterKernel(clusters), loop(data));
    }

    private TrainingLoop<KMeansModel> loop(final JavaRDD<LabeledPoint> data)
    {
        final LabeledPoint[] first = data.takeSample(false, clusters, seed).toArray(LabeledPoint[]::new);
        if (first.length < clusters)
        {
            throw new IllegalArgumentException(
                clusters + " clusters need at least as many points, but there are " + first.length);
        }
        final int iterations = maxIterations;
        final double stop = tolerance;
        return (sums, features, points) -> cluster(sums, List.of(first), features, iterations, stop);
    }

    private static KMeansModel cluster(final GlobalSums sums, final List<LabeledPoint> first, final int features,
        final int maxIterations, final double tolerance)
    {
        final CenterKernel kernel = new CenterKernel(first.size());
        final double[] total = new double[kernel.sums(features)];
        final double[] centers = new double[total.length - 1];
        for (int center = 0; center < first.size(); center++)
        {
            first.get(center).addTo(1, centers, center * features);
        }
        final long startNs = System.nanoTime();
        int iterations = 0;
        double moved = Double.POSITIVE_INFINITY;
        while (iterations < maxIterations && moved > tolerance * tolerance)
        {
            kernel.setNorms(centers, features);
            sums.compute(centers, total);
            moved = move(centers, total, first.size(), features);
            iterations++;
        }
        kernel.setNorms(centers, features);
        return new KMeansModel(
            first.size(), features, centers, total[total.length - 1], iterations, System.nanoTime() - startNs);
    }

    /** Moves centers to the means of their points; returns the longest squared distance. */
    private static double move(final double[] centers, final double[] total, final int count, final int features)
    {
        double longest = 0;
        for (int center = 0; center < count; center++)
        {
            final double points = total[count * features + center];
            double distance = 0;
            for (int i = center * features; points > 0 && i < (center + 1) * features; i++)
            {
                final double mean = total[i] / points;
                distance += (mean - centers[i]) * (mean - centers[i]);
                centers[i] = mean;
            }
            longest = Math.max(longest, distance);
        }
        return longest;
    }
}
