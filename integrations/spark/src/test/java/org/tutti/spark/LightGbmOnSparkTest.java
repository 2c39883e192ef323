/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.LocalJob;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Trains with LightGBM in the tasks of a stage. */
class LightGbmOnSparkTest
{
    private static final String PARAMETERS = "objective=binary num_leaves=15 num_threads=1 deterministic=true " +
        "force_col_wise=true verbosity=-1";
    private static final int ROWS = 1_000;
    private static final int COLUMNS = 6;

    private static List<double[]> rows()
    {
        final SplittableRandom random = new SplittableRandom(7);
        final List<double[]> rows = new ArrayList<>();
        for (int i = 0; i < ROWS; i++)
        {
            final double[] row = random.doubles(COLUMNS + 1).toArray();
            row[0] = row[1] * row[2] + 0.2 * row[0] > 0.35 ? 1 : 0;
            rows.add(row);
        }
        return rows;
    }

    private static JavaRDD<double[]> distribute(final List<double[]> rows)
    {
        return TestCluster.shared().parallelize(rows, TestCluster.RANKS);
    }

    private static String trees(final String model)
    {
        return model.substring(0, model.indexOf("\nparameters:"));
    }

    @Test
    void shouldTrainTheTreesOfRanksWithoutSpark()
    {
        final List<double[]> rows = rows();
        final String model = LightGbmOnSpark.train(distribute(rows), PARAMETERS);

        final List<String> expected = LocalJob.call(TestCluster.RANKS, communicator ->
        {
            final Iterator<double[]> partition = rows.subList(
                communicator.rank() * ROWS / TestCluster.RANKS, (communicator.rank() + 1) * ROWS / TestCluster.RANKS)
                .iterator();
            final Iterator<String> trained = LightGbmOnSpark.trees(communicator, partition, PARAMETERS);
            return trained.hasNext() ? trained.next() : "";
        });
        assertTrue(model.contains("Tree=19"), model);
        assertEquals(trees(expected.getFirst()), trees(model));
    }

    @Test
    void shouldNameRanksWhosePartitionsHaveOtherFeatures()
    {
        final List<double[]> rows = rows();
        for (int row = ROWS / 2; row < ROWS; row++)
        {
            rows.set(row, Arrays.copyOf(rows.get(row), COLUMNS));
        }

        final SparkException error =
            assertThrows(SparkException.class, () -> LightGbmOnSpark.train(distribute(rows), PARAMETERS));

        assertTrue(error.getMessage().contains("LightGbmException: numbers of features differ between ranks: 6 on " +
            "rank 0, 5 on rank 1"), error.getMessage());
    }

    /** The tasks are killed at any time of a training; their executors go on. */
    @Test
    void shouldEndTrainingWhenTheJobIsCancelled(@TempDir final Path directory) throws InterruptedException
    {
        final Path started = directory.resolve("started");
        final String name = started.toString();
        final JavaRDD<double[]> rows = distribute(rows());
        LightGbmOnSpark.train(rows, PARAMETERS);
        final List<String> before = executors();
        final JavaFutureAction<List<Integer>> job = TuttiSpark.<double[], Integer>mapPartitions(
            rows, (communicator, partition) -> trainForever(communicator, partition, name)).collectAsync();
        while (!Files.exists(started))
        {
            Thread.sleep(10);
        }
        job.cancel(true);

        // Runs only when the tasks of the cancelled job have ended, as they occupy all slots.
        assertTrue(LightGbmOnSpark.train(rows, PARAMETERS).contains("Tree=19"));
        assertEquals(before, executors());
    }

    private static Iterator<Integer> trainForever(
        final Communicator communicator, final Iterator<double[]> partition, final String started) throws Exception
    {
        final List<double[]> own = new ArrayList<>();
        partition.forEachRemaining(own::add);
        while (true)
        {
            LightGbmOnSpark.trees(communicator, own.iterator(), PARAMETERS);
            if (communicator.rank() == 0 && !Files.exists(Path.of(started)))
            {
                Files.createFile(Path.of(started));
            }
        }
    }

    /** Returns the process identifiers of the executors. */
    private static List<String> executors()
    {
        return HeldResources.ofExecutors(TestCluster.numbers(TestCluster.shared(), TestCluster.RANKS)).stream()
            .map(text -> text.substring(0, text.indexOf(':'))).toList();
    }
}
