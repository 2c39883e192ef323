/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.tutti.collectives.ReduceOp;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** The code that docs/integrations/spark.md shows: each rank subtracts the mean of all numbers from its own. */
public final class SparkQuickStart
{
    private SparkQuickStart()
    {
    }

    /**
     * Runs the driver.
     *
     * @param args unused.
     */
    public static void main(final String[] args)
    {
        try (JavaSparkContext spark = new JavaSparkContext(new SparkConf().setAppName("mean")))
        {
            System.out.println(centred(spark));
        }
    }

    static List<Double> centred(final JavaSparkContext spark)
    {
        final JavaRDD<Double> numbers =
            spark.parallelize(IntStream.range(0, 100).mapToObj(i -> (double)i).toList(), 2);
        final JavaRDD<Double> centred = TuttiSpark.mapPartitions(numbers, (communicator, partition) ->
        {
            final List<Double> own = new ArrayList<>();
            partition.forEachRemaining(own::add);
            final double[] sums = {own.stream().mapToDouble(Double::doubleValue).sum(), own.size()};
            communicator.allreduce(sums, ReduceOp.SUM);
            final double mean = sums[0] / sums[1];
            return own.stream().map(number -> number - mean).iterator();
        });
        return centred.collect();
    }

    static int train(final JavaRDD<LabeledPoint> points)
    {
        final RegressionModel model = Regression.logistic().regularization(0.01).fit(points);
        final KMeansModel clusters = KMeans.of(5).seed(3).fit(points);
        return model.weights().length * clusters.clusters();
    }
}
