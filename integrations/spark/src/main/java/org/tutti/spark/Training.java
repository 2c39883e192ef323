/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.api.java.JavaRDD;
import org.tutti.collectives.Communicator;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Runs a training by collectives, or by Spark's {@code treeAggregate}. */
final class Training
{
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
     * @throws InvalidDataException if no rank could train on the points.
     */
    static <M extends Serializable> M onRanks(
        final JavaRDD<LabeledPoint> data, final PointKernel kernel, final TrainingLoop<M> loop)
    {
        if (data.getNumPartitions() == 0)
        {
            PartitionFacts.combine(new double[0], kernel);
        }
        return TuttiSpark.<LabeledPoint, TrainingOutcome<M>>mapPartitionsWithRetry(data, (communicator, partition) ->
        {
            final List<LabeledPoint> points = new ArrayList<>();
            partition.forEachRemaining(points::add);
            final TrainingOutcome<M> outcome = train(communicator, points, kernel, loop);
            return communicator.rank() == 0 ? List.of(outcome).iterator() : Collections.emptyIterator();
        }).collect().getFirst().model();
    }

    /**
     * Trains on one rank of several. Collective.
     *
     * @param communicator communicator of all ranks.
     * @param points       points of this rank.
     * @param kernel       what is summed.
     * @param loop         the training.
     * @param <M>          type of the model.
     * @return the model, or the problem that all ranks see.
     */
    static <M extends Serializable> TrainingOutcome<M> train(final Communicator communicator,
        final List<LabeledPoint> points, final PointKernel kernel, final TrainingLoop<M> loop)
    {
        try
        {
            final double[] facts = new double[PartitionFacts.LENGTH * communicator.size()];
            communicator.allgather(PartitionFacts.of(points, kernel).encode(), facts);
            final PartitionFacts all = PartitionFacts.combine(facts, kernel);
            try (RankVectors vectors = new RankVectors(communicator, kernel, points, all.features()))
            {
                return TrainingOutcome.of(loop.train(vectors, all.features(), all.points()));
            }
        }
        catch (final InvalidDataException ex)
        {
            return TrainingOutcome.failed(ex);
        }
    }

    /**
     * Trains on the driver, which broadcasts the parameters in each iteration, and aggregates the sums in a tree.
     *
     * @param data   points, which should be cached.
     * @param kernel what is summed.
     * @param loop   the training.
     * @param <M>    type of the model.
     * @return the model.
     * @throws InvalidDataException if the model cannot be trained on the points.
     */
    static <M extends Serializable> M onDriver(
        final JavaRDD<LabeledPoint> data, final PointKernel kernel, final TrainingLoop<M> loop)
    {
        final PartitionFacts all = PartitionFacts.combine(data.mapPartitions(partition ->
        {
            final List<LabeledPoint> points = new ArrayList<>();
            partition.forEachRemaining(points::add);
            return List.of(PartitionFacts.of(points, kernel).encode()).iterator();
        }).collect().stream().flatMapToDouble(Arrays::stream).toArray(), kernel);
        return loop.train(new DriverVectors(data, kernel, all.features()), all.features(), all.points());
    }
}
