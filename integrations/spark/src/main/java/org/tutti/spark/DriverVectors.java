/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

import java.lang.foreign.MemorySegment;

/** The vectors on the driver: it broadcasts the parameters, and aggregates the sums in a tree. */
final class DriverVectors implements ModelVectors
{
    private final JavaRDD<LabeledPoint> data;
    private final PointKernel kernel;
    private final double[] parameters;
    /** The sums, then the cost, as the executors sent them. */
    private double[] result;

    /**
     * Creates the vectors.
     *
     * @param data     points.
     * @param kernel   what is summed.
     * @param features number of features.
     */
    DriverVectors(final JavaRDD<LabeledPoint> data, final PointKernel kernel, final int features)
    {
        this.data = data;
        this.kernel = kernel;
        parameters = new double[kernel.length(features)];
    }

    @Override
    public long chunkStart()
    {
        return 0;
    }

    @Override
    public int chunkLength()
    {
        return parameters.length;
    }

    @Override
    public MemorySegment parameters()
    {
        return MemorySegment.ofArray(parameters);
    }

    @Override
    public MemorySegment sums()
    {
        return MemorySegment.ofArray(result);
    }

    @Override
    public double addPoints()
    {
        final Broadcast<double[]> current =
            JavaSparkContext.fromSparkContext(data.context()).broadcast(parameters);
        // The lambda must not refer to this, which is not serializable.
        final PointKernel added = kernel;
        final int length = parameters.length;
        // Starts with an empty array: Spark sends the zero value with each task.
        result = data.treeAggregate(new double[0], (partial, point) ->
        {
            final double[] sums = partial.length == 0 ? new double[length + 1] : partial;
            sums[length] += added.add(point, MemorySegment.ofArray(current.value()), MemorySegment.ofArray(sums));
            return sums;
        }, DriverVectors::merge);
        current.destroy();
        return result[length];
    }

    private static double[] merge(final double[] left, final double[] right)
    {
        if (left.length == 0 || right.length == 0)
        {
            return left.length == 0 ? right : left;
        }
        for (int i = 0; i < left.length; i++)
        {
            left[i] += right[i];
        }
        return left;
    }

    @Override
    public void sumAll()
    {
        // The driver has all sums.
    }

    @Override
    public void sumChunks()
    {
        // The driver has all sums.
    }

    @Override
    public void gatherParameters()
    {
        // The driver has all parameters.
    }

    @Override
    public void sum(final double[] values)
    {
        // The driver's numbers are those of all points.
    }

    @Override
    public CenterCandidates candidates(final int features)
    {
        return new DriverCandidates(data, parameters, features);
    }
}
