/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** Runs a training by collectives, or by Spark's {@code treeAggregate}. */
final class Training
{
    private static final String FIX = ": give all points the same number of features";
    private static final String NO_POINTS = "there are no points to train with";
    /** What a rank reports whose points have different numbers of features. */
    private static final long MIXED = -1;

    private Training()
    {
    }

    /**
     * Trains on the ranks of a barrier stage: each keeps the points of its partition, and all compute the same model.
     *
     * @param data   points.
     * @param kernel what is summed.
     * @param loop   the training.
     * @param <M>    type of the model.
     * @return the model of rank 0.
     */
    static <M extends Serializable> M onRanks(
        final JavaRDD<LabeledPoint> data, final PointKernel kernel, final TrainingLoop<M> loop)
    {
        if (data.getNumPartitions() == 0)
        {
            throw new IllegalArgumentException(NO_POINTS);
        }
        return TuttiSpark.<LabeledPoint, M>mapPartitionsWithRetry(data, (communicator, partition) ->
        {
            final List<LabeledPoint> points = new ArrayList<>();
            partition.forEachRemaining(points::add);
            final int features = commonFeatures(communicator, points);
            final long[] count = {points.size()};
            communicator.allreduce(count, ReduceOp.SUM);
            final M model = loop.train((parameters, sums) ->
            {
                Arrays.fill(sums, 0);
                points.forEach(point -> kernel.add(point, parameters, sums));
                communicator.allreduce(sums, ReduceOp.SUM);
            }, features, count[0]);
            return communicator.rank() == 0 ? List.of(model).iterator() : Collections.emptyIterator();
        }).collect().getFirst();
    }

    /** Agrees on the number of features; throws on all ranks, with the same message, if they differ. */
    private static int commonFeatures(final Communicator communicator, final List<LabeledPoint> points)
    {
        final long[] own = points.stream().mapToLong(LabeledPoint::features).distinct().toArray();
        final long[] all = new long[communicator.size()];
        communicator.allgather(new long[] {own.length > 1 ? MIXED : LongStream.of(own).sum()}, all);
        final long[] known = LongStream.of(all).filter(count -> count != 0).distinct().toArray();
        if (known.length == 0)
        {
            throw new IllegalArgumentException(NO_POINTS);
        }
        if (known.length > 1 || known[0] == MIXED)
        {
            throw new IllegalArgumentException("partitions have different numbers of features: " + RankGroups.of(
                LongStream.of(all).boxed().toList(), count -> count == MIXED ? "several" : count.toString())
                .without("0").describe() + FIX);
        }
        return (int)known[0];
    }

    /**
     * Trains on the driver, which broadcasts the parameters in each iteration, and aggregates the sums in a tree.
     *
     * @param data   points, which should be cached.
     * @param kernel what is summed.
     * @param loop   the training.
     * @param <M>    type of the model.
     * @return the model.
     */
    static <M extends Serializable> M onDriver(
        final JavaRDD<LabeledPoint> data, final PointKernel kernel, final TrainingLoop<M> loop)
    {
        final JavaSparkContext spark = JavaSparkContext.fromSparkContext(data.context());
        final List<Integer> features = data.map(LabeledPoint::features).distinct().collect();
        if (features.size() != 1)
        {
            throw new IllegalArgumentException(
                features.isEmpty() ? NO_POINTS : "points have different numbers of features: " + features + FIX);
        }
        final int count = features.getFirst();
        return loop.train((parameters, sums) ->
        {
            final Broadcast<double[]> current = spark.broadcast(parameters);
            // Starts with an empty array: Spark sends the zero value with each task.
            final double[] result = data.treeAggregate(new double[0], (partial, point) ->
            {
                final double[] own = partial.length == 0 ? new double[kernel.sums(count)] : partial;
                kernel.add(point, current.value(), own);
                return own;
            }, Training::merge);
            System.arraycopy(result, 0, sums, 0, sums.length);
            current.destroy();
        }, count, data.count());
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
}
