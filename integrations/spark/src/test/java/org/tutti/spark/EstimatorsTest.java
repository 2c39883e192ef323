/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.SerializerInstance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class EstimatorsTest
{
    private static final int POINTS = 400;
    private static final double[] WEIGHTS = {2, -1, 0.5, 0};
    private static final double INTERCEPT = 0.25;
    private static final double TOLERANCE = 1e-6;

    private static JavaRDD<LabeledPoint> distribute(final List<LabeledPoint> points)
    {
        return TestCluster.shared().parallelize(points, TestCluster.RANKS);
    }

    /** Returns points of a linear model; of a logistic one with labels 0 and 1 that are partly wrong. */
    private static JavaRDD<LabeledPoint> points(final boolean isLogistic)
    {
        final SplittableRandom random = new SplittableRandom(5);
        final List<LabeledPoint> points = new ArrayList<>();
        for (int i = 0; i < POINTS; i++)
        {
            final double[] values = random.doubles(WEIGHTS.length, -1, 1).toArray();
            final double margin = LabeledPoint.dense(0, values).dot(MemorySegment.ofArray(WEIGHTS), 0) + INTERCEPT;
            final double label = isLogistic ? (random.nextDouble() < PointLoss.probability(margin) ? 1 : 0) : margin;
            points.add(i % 2 == 0 ? LabeledPoint.dense(label, values) :
                LabeledPoint.sparse(label, WEIGHTS.length, new int[] {3, 2, 1, 0},
                new double[] {values[3], values[2], values[1], values[0]}));
        }
        return distribute(points);
    }

    private static void assertSame(final RegressionModel expected, final RegressionModel actual)
    {
        assertArrayEquals(expected.weights(), actual.weights(), TOLERANCE);
        assertEquals(expected.intercept(), actual.intercept(), TOLERANCE);
        assertEquals(expected.loss(), actual.loss(), TOLERANCE);
    }

    @Test
    void shouldFindTheLinearModelOfItsPoints()
    {
        final RegressionModel model = Regression.linear().fit(points(false));

        assertArrayEquals(WEIGHTS, model.weights(), 1e-4);
        assertEquals(INTERCEPT, model.intercept(), 1e-4);
        assertEquals(0, model.loss(), TOLERANCE);
        assertEquals(2.75, model.predict(LabeledPoint.dense(0, 1, 0, 1, 1)), 1e-3);
    }

    @Test
    void shouldEqualTreeAggregateInLinearRegression()
    {
        final JavaRDD<LabeledPoint> points = points(false);
        final Regression regression = Regression.linear().regularization(0.1);

        assertSame(regression.fitByTreeAggregate(points), regression.fit(points));
    }

    @Test
    void shouldEqualTreeAggregateInLogisticRegression()
    {
        final JavaRDD<LabeledPoint> points = points(true);
        final Regression regression = Regression.logistic().regularization(0.01);

        final RegressionModel model = regression.fit(points);

        assertSame(regression.fitByTreeAggregate(points), model);
        assertTrue(model.weights()[0] > 0.5 && model.weights()[1] < -0.2, () -> List.of(model.weights()).toString());
        assertTrue(model.predict(LabeledPoint.dense(0, 1, -1, 1, 0)) > 0.8);
    }

    @Test
    void shouldEqualTreeAggregateInClustering()
    {
        final SplittableRandom random = new SplittableRandom(6);
        final List<LabeledPoint> list = new ArrayList<>();
        for (int i = 0; i < POINTS; i++)
        {
            final double x = i % 4 < 2 ? 10 : -10;
            final double y = i % 2 == 0 ? 10 : -10;
            list.add(LabeledPoint.dense(0, x + random.nextDouble(), y + random.nextDouble()));
        }
        final JavaRDD<LabeledPoint> points = distribute(list);
        final KMeans clustering = KMeans.of(5).seed(3).maxIterations(10);

        final KMeansModel model = clustering.fit(points);
        final KMeansModel expected = clustering.fitByTreeAggregate(points);

        assertEquals(expected.cost(), model.cost(), TOLERANCE);
        assertEquals(expected.iterations(), model.iterations());
        assertEquals(expected.converged(), model.converged());
        for (int cluster = 0; cluster < 5; cluster++)
        {
            assertArrayEquals(expected.center(cluster), model.center(cluster), TOLERANCE);
            assertEquals(cluster, model.predict(LabeledPoint.dense(0, model.center(cluster))));
        }
    }

    /** Results reach the driver by spark.serializer. Runs in an executor, whose JVM has the options that Kryo needs. */
    @Test
    void shouldSendPointsAndModelsByKryo()
    {
        final List<String> results = TestCluster.numbers(TestCluster.shared(), 1).map(number ->
        {
            final SerializerInstance kryo = new KryoSerializer(new SparkConf(false)).newInstance();
            final KMeansModel clusters = copy(kryo, new KMeansModel(2, 1, new double[] {1, 5, 1, 25}, 0, 1, 0, true));
            final RegressionModel line =
                copy(kryo, new RegressionModel(PointLoss.SQUARED, new double[] {2, 1}, new Minimum(0, 1, 0, true)));
            final LabeledPoint point = copy(kryo, LabeledPoint.sparse(0, 1, new int[] {0}, new double[] {4}));
            return clusters.predict(point) + ", " + line.predict(point);
        }).collect();

        assertEquals(List.of("1, 9.0"), results);
    }

    private static <T> T copy(final SerializerInstance serializer, final T object)
    {
        final ClassTag<T> tag = ClassTag$.MODULE$.apply(object.getClass());
        return serializer.deserialize(serializer.serialize(object, tag), tag);
    }

    @Test
    void shouldNameRanksWhosePartitionsHaveOtherFeatures()
    {
        final JavaRDD<LabeledPoint> points =
            distribute(List.of(LabeledPoint.dense(1, 1, 2, 3), LabeledPoint.dense(1, 1, 2)));

        final String message = "partitions have different numbers of features: 3 on rank 0; 2 on rank 1: " +
            "give all points the same number of features";
        assertRejects(message, () -> Regression.linear().fit(points));
        assertRejects(message, () -> Regression.linear().fitByTreeAggregate(points));
    }

    @Test
    void shouldRejectInvalidArguments()
    {
        assertRejects("regularization must be finite and at least 0: -1.0",
            () -> Regression.linear().regularization(-1));
        assertRejects("regularization must be finite and at least 0: Infinity",
            () -> Regression.linear().regularization(Double.POSITIVE_INFINITY));
        assertRejects("tolerance must be at least 0: NaN", () -> Regression.linear().tolerance(Double.NaN));
        assertRejects("maxIterations must be at least 1: 0", () -> Regression.logistic().maxIterations(0));
        assertRejects("history must be at least 1: 0", () -> Regression.logistic().history(0));
        assertRejects("number of clusters must be at least 1: 0", () -> KMeans.of(0));
        assertRejects("maxIterations must be at least 1: 0", () -> KMeans.of(2).maxIterations(0));
        assertRejects("tolerance must be at least 0: -1.0", () -> KMeans.of(2).tolerance(-1));
        assertRejects("number of features must be at least 1: 0", () -> LabeledPoint.dense(1));
        assertRejects("index and value counts differ: 1 != 2",
            () -> LabeledPoint.sparse(1, 5, new int[] {0}, new double[2]));
        assertRejects("index 5 must be from 0 to 4", () -> LabeledPoint.sparse(1, 5, new int[] {5}, new double[1]));
        assertRejects("feature 1 is NaN, but must be finite", () -> LabeledPoint.dense(1, 0, Double.NaN));
        assertRejects("feature 3 is Infinity, but must be finite",
            () -> LabeledPoint.sparse(1, 5, new int[] {3}, new double[] {Double.POSITIVE_INFINITY}));
        assertRejects("index 4 is repeated", () ->
            LabeledPoint.sparse(1, 5, new int[] {4, 1, 4}, new double[3]));
        assertRejects("50000 clusters of 50000 features have 2500050000 parameters, but an array has less than ",
            () -> new CenterKernel(50_000).length(50_000));
        assertRejects("there are no points to train with",
            () -> Regression.linear().fit(TestCluster.shared().emptyRDD()));
        assertRejects("3 clusters need at least as many points, but there are 1",
            () -> KMeans.of(3).fit(distribute(List.of(LabeledPoint.dense(0, 1)))));
    }

    private static void assertRejects(final String message, final Executable call)
    {
        final IllegalArgumentException error = assertThrows(IllegalArgumentException.class, call);
        assertTrue(error.getMessage().startsWith(message), error.getMessage());
    }
}
