/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Compares the time of an iteration by collectives with that by treeAggregate: same data, same run, two executors of
 * one core. Points have few features that are not 0, so most of the time goes into summing vectors of parameters.
 */
public final class SparkBench
{
    private static final int ROUNDS = 5;
    private static final int ITERATIONS = 5;
    private static final int POINTS_PER_RANK = 200;
    private static final int VALUES_PER_POINT = 50;
    private static final int CLUSTERS = 10;
    private static final int HISTORY = 3;
    private static final int MILLION = 1_000_000;
    private static final int MIB_PER_GIB = 1024;

    private SparkBench()
    {
    }

    /**
     * Prints a table with a row for each estimator and number of parameters.
     *
     * @param args maximum heap of an executor in GiB, then numbers of parameters in millions.
     */
    public static void main(final String[] args)
    {
        final int executorMiB = Integer.parseInt(args[0]) * MIB_PER_GIB;
        final SparkConf configuration = TestCluster.configuration("local-cluster[2,1," + executorMiB + "]")
            .set("spark.executor.memory", executorMiB + "m").set("spark.driver.maxResultSize", "0")
            .set("spark.executor.extraJavaOptions", RankNotice.OPTION +
            " --add-exports=java.base/jdk.internal.module=ALL-UNNAMED");
        try (JavaSparkContext spark = TestCluster.start(configuration))
        {
            System.out.println("| estimator | parameters | Tutti | treeAggregate | ratio | lowest to highest |");
            System.out.println("|---|-:|-:|-:|-:|-:|");
            for (final int millions : Stream.of(args).skip(1).mapToInt(Integer::parseInt).toArray())
            {
                final int parameters = millions * MILLION;
                final JavaRDD<LabeledPoint> wide = points(spark, parameters - 1);
                final Regression regression =
                    Regression.logistic().history(HISTORY).maxIterations(ITERATIONS).tolerance(0);
                row("logistic regression", parameters, () -> regression.fit(wide).iterationNs(),
                    () -> regression.fitByTreeAggregate(wide).iterationNs());
                wide.unpersist();
                final JavaRDD<LabeledPoint> narrow = points(spark, parameters / CLUSTERS);
                final KMeans clustering = KMeans.of(CLUSTERS).maxIterations(ITERATIONS).tolerance(0);
                row("k-means", parameters, () -> clustering.fit(narrow).iterationNs(),
                    () -> clustering.fitByTreeAggregate(narrow).iterationNs());
                narrow.unpersist();
            }
        }
    }

    private static JavaRDD<LabeledPoint> points(final JavaSparkContext spark, final int features)
    {
        final JavaRDD<LabeledPoint> points = TestCluster.numbers(spark, TestCluster.RANKS).flatMap(partition ->
        {
            final SplittableRandom random = new SplittableRandom(partition);
            return IntStream.range(0, POINTS_PER_RANK).mapToObj(i -> LabeledPoint.sparse(random.nextInt(2), features,
                random.ints(0, features).distinct().limit(VALUES_PER_POINT).toArray(),
                random.doubles(VALUES_PER_POINT, -1, 1).toArray())).iterator();
        }).persist(StorageLevel.MEMORY_ONLY());
        points.count();
        return points;
    }

    /** Measures both in turn, so that background load affects both alike; the first round only warms up. */
    private static void row(
        final String name, final int parameters, final LongSupplier collectives, final LongSupplier treeAggregate)
    {
        final double[] own = new double[ROUNDS];
        final double[] others = new double[ROUNDS];
        final double[] ratios = new double[ROUNDS];
        for (int round = -1; round < ROUNDS; round++)
        {
            final long ownNs = collectives.getAsLong();
            final long otherNs = treeAggregate.getAsLong();
            if (round >= 0)
            {
                own[round] = ownNs / 1e6;
                others[round] = otherNs / 1e6;
                ratios[round] = others[round] / own[round];
            }
        }
        Arrays.sort(ratios);
        System.out.println(String.format(Locale.ROOT, "| %s | %,d | %.1f ms | %.1f ms | %.1f | %.1f to %.1f |", name,
            parameters, median(own), median(others), median(ratios), ratios[0], ratios[ROUNDS - 1]));
    }

    private static double median(final double[] values)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
