/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.LocalJob;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trains on ranks that are threads, without Spark. */
class TrainingTest
{
    private static final int FEATURES = 40;
    private static final int POINTS = 300;

    /** Trains with each rank's points; returns the outcomes by rank. */
    private static <M extends Serializable> List<TrainingOutcome<M>> train(
        final PointKernel kernel, final TrainingLoop<M> loop, final List<List<LabeledPoint>> points)
    {
        return LocalJob.call(points.size(), communicator ->
            Training.train(communicator, points.get(communicator.rank()), kernel, loop));
    }

    /** Deals points to ranks. */
    private static List<List<LabeledPoint>> deal(final int ranks, final List<LabeledPoint> points)
    {
        return IntStream.range(0, ranks).mapToObj(rank -> IntStream.range(0, points.size())
            .filter(i -> i % ranks == rank).mapToObj(points::get).toList()).toList();
    }

    private static List<LabeledPoint> points()
    {
        final SplittableRandom random = new SplittableRandom(7);
        return IntStream.range(0, POINTS).mapToObj(_ ->
        {
            final double[] values = random.doubles(FEATURES, -1, 1).toArray();
            final double label = values[0] - values[FEATURES - 1] + random.nextDouble(-0.5, 0.5) > 0 ? 1 : 0;
            return LabeledPoint.dense(label, values);
        }).toList();
    }

    /** Points in four squares with sides of 1, whose centers are 100 apart. */
    private static List<LabeledPoint> squares()
    {
        final SplittableRandom random = new SplittableRandom(8);
        return IntStream.range(0, POINTS).mapToObj(i -> LabeledPoint.dense(0, i % 2 * 100 + random.nextDouble(),
            i / 2 % 2 * 100 + random.nextDouble())).toList();
    }

    private static List<RegressionModel> regression(final int ranks)
    {
        return train(PointLoss.LOGISTIC, Regression.logistic().regularization(0.01).loop(), deal(ranks, points()))
            .stream().map(TrainingOutcome::model).toList();
    }

    private static List<KMeansModel> clusters(final int ranks, final KMeans clustering)
    {
        return train(new CenterKernel(4), clustering.loop(), deal(ranks, squares())).stream()
            .map(TrainingOutcome::model).toList();
    }

    private static void assertSameBits(final double[] expected, final double[] actual)
    {
        assertEquals(Arrays.toString(expected), Arrays.toString(actual));
    }

    /** With five ranks, two have no chunk of the 41 parameters. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldTrainTheSameRegressionOnAllRanksAndInEveryRun(final int ranks)
    {
        final RegressionModel expected = regression(1).getFirst();
        final List<RegressionModel> models = new ArrayList<>(regression(ranks));
        models.addAll(regression(ranks));

        for (final RegressionModel model : models)
        {
            assertSameBits(models.getFirst().weights(), model.weights());
            assertEquals(models.getFirst().intercept(), model.intercept());
            assertEquals(models.getFirst().loss(), model.loss());
            assertArrayEquals(expected.weights(), model.weights(), 1e-5);
            assertEquals(expected.intercept(), model.intercept(), 1e-5);
            assertEquals(expected.loss(), model.loss(), 1e-9);
            assertTrue(model.converged());
        }
    }

    /** The intercept is in the chunk of rank 0, 1 or 2, at its start, inside and at its end. */
    @ParameterizedTest
    @ValueSource(ints = {7, 8, 15, 16, 20})
    void shouldNotRegularizeTheIntercept(final int features)
    {
        final List<LabeledPoint> points = IntStream.range(0, 30).mapToObj(i ->
            LabeledPoint.sparse(1000, features, new int[] {i % features}, new double[] {i % 3 - 1})).toList();
        final RegressionModel model = train(PointLoss.SQUARED, Regression.linear().regularization(10).loop(),
            deal(3, points)).getFirst().model();

        assertEquals(1000, model.intercept(), 0.1);
        assertEquals(0, Arrays.stream(model.weights()).map(Math::abs).max().orElseThrow(), 0.1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldFindTheSameClustersOnAllRanksAndInEveryRun(final int ranks)
    {
        final List<KMeansModel> models = new ArrayList<>(clusters(ranks, KMeans.of(4)));
        models.addAll(clusters(ranks, KMeans.of(4)));

        for (final KMeansModel model : models)
        {
            for (int cluster = 0; cluster < 4; cluster++)
            {
                assertSameBits(models.getFirst().center(cluster), model.center(cluster));
            }
            assertEquals(models.getFirst().cost(), model.cost());
            assertTrue(model.converged());
        }
    }

    /** With random points as first centers, one run in ten would succeed. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldStartFromAPointOfEachClusterForEverySeed(final long seed)
    {
        final KMeansModel model = clusters(2, KMeans.of(4).seed(seed).maxIterations(1)).getFirst();

        assertTrue(model.cost() < POINTS, "seed " + seed + ": " + model.cost());
        assertFalse(model.converged());
    }

    @Test
    void shouldStartFromOtherPointsForAnotherSeed()
    {
        final long starts = IntStream.range(0, 6).mapToDouble(seed ->
            clusters(2, KMeans.of(4).seed(seed).maxIterations(1)).getFirst().cost()).distinct().count();

        assertTrue(starts > 1);
    }

    @Test
    void shouldRepeatCentersIfFewerPointsDiffer()
    {
        final List<LabeledPoint> points = IntStream.range(0, 10).mapToObj(_ -> LabeledPoint.dense(0, 3, 4)).toList();
        final KMeansModel model = train(new CenterKernel(3), KMeans.of(3).loop(), List.of(List.of(), points))
            .getFirst().model();

        assertEquals(0, model.cost());
        for (int cluster = 0; cluster < 3; cluster++)
        {
            assertArrayEquals(new double[] {3, 4}, model.center(cluster));
        }
    }

    @Test
    void shouldTrainIfSomeRanksHaveNoPoints()
    {
        final RegressionModel model = train(PointLoss.SQUARED, Regression.linear().loop(), List.of(List.of(),
            List.of(LabeledPoint.dense(3, 1), LabeledPoint.dense(5, 2)), List.of())).getLast().model();

        assertEquals(2, model.weights()[0], 1e-4);
        assertEquals(1, model.intercept(), 1e-4);
    }

    @Test
    void shouldTellWhenTheTrainingHasNotConverged()
    {
        final RegressionModel model = train(PointLoss.LOGISTIC, Regression.logistic().maxIterations(1).loop(),
            deal(2, points())).getFirst().model();

        assertEquals(1, model.iterations());
        assertFalse(model.converged());
    }

    @Test
    void shouldNameInvalidDataOnAllRanks()
    {
        final LabeledPoint good = LabeledPoint.dense(1, 1, 2, 3);
        final LabeledPoint huge = LabeledPoint.dense(1e200, 1e200, 2, 3);
        assertFails("labels must be 0 or 1 in logistic regression: 2.0 on rank 1: drop or change these points",
            PointLoss.LOGISTIC, Regression.logistic().loop(),
            List.of(List.of(good), List.of(good, LabeledPoint.dense(2, 0, 0, 0))));
        assertFails("labels must be finite in linear regression: NaN on rank 0: drop or change these points",
            PointLoss.SQUARED, Regression.linear().loop(),
            List.of(List.of(LabeledPoint.dense(Double.NaN, 0, 0, 0)), List.of(good)));
        assertFails("partitions have different numbers of features: several on rank 0; 3 on rank 2: give all points " +
            "the same number of features", PointLoss.SQUARED, Regression.linear().loop(),
            List.of(List.of(good, LabeledPoint.dense(0, 1)), List.of(), List.of(good)));
        assertFails("partitions have different numbers of features: several on rank 0: give all points",
            PointLoss.SQUARED, Regression.linear().loop(), List.of(List.of(good, LabeledPoint.dense(0, 1))));
        assertFails("there are no points to train with", PointLoss.SQUARED, Regression.linear().loop(),
            List.of(List.of(), List.of()));
        assertFails("3 clusters need at least as many points, but there are 2", new CenterKernel(3),
            KMeans.of(3).loop(), List.of(List.of(good), List.of(good)));
        assertFails("the loss at the start is Infinity, as labels or features are too large: scale them",
            PointLoss.SQUARED, Regression.linear().loop(), List.of(List.of(good), List.of(huge)));
        assertFails("the sum of squared distances is ",
            new CenterKernel(2), KMeans.of(2).loop(), List.of(List.of(good), List.of(huge)));
    }

    private static <M extends Serializable> void assertFails(final String message, final PointKernel kernel,
        final TrainingLoop<M> loop, final List<List<LabeledPoint>> points)
    {
        for (final TrainingOutcome<M> outcome : train(kernel, loop, points))
        {
            final String actual = assertThrows(IllegalArgumentException.class, outcome::model).getMessage();
            assertTrue(actual.startsWith(message), actual);
        }
    }
}
