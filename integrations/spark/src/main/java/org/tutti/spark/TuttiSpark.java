/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

import java.util.Iterator;

/**
 * Runs collectives in Spark's barrier stages. All partitions are processed at once, one task each, and each task is a
 * rank: its rank is the index of the partition. Tasks of one host communicate through shared memory, others as {@code
 * TUTTI_TRANSPORT} says. Settings of Tutti are those of the executors, from the environment ({@code
 * spark.executorEnv.TUTTI_TIMEOUT}) or as system properties in {@code spark.executor.extraJavaOptions} ({@code
 * -Dtutti.timeout=10m}). Thread-safe.
 */
public final class TuttiSpark
{
    private TuttiSpark()
    {
    }

    /**
     * Returns the results of a function that runs on all partitions at once, with a communicator. A task ends when all
     * tasks of the stage have succeeded. If a task fails, the calls of the others fail, too. If this stage is the last
     * one of a job, Spark then fails the job.
     *
     * @param rdd      data, with at most as many partitions as tasks can run at once.
     * @param function code of each rank.
     * @param <T>      type of the elements.
     * @param <R>      type of the results.
     * @return results of all ranks, in as many partitions, computed when Spark runs a job on them, each time anew
     *         unless they are cached.
     * @throws IllegalArgumentException if there are more partitions than slots for tasks, also after {@code
     *                                  spark.scheduler.maxRegisteredResourcesWaitingTime}.
     */
    public static <T, R> JavaRDD<R> mapPartitions(final JavaRDD<T> rdd, final RankFunction<T, R> function)
    {
        return JavaRDD.fromRDD(mapPartitions(rdd.rdd(), function), anyClass());
    }

    /**
     * As {@link #mapPartitions(JavaRDD, RankFunction)}, for callers in Scala.
     *
     * @param rdd      data, with at most as many partitions as tasks can run at once.
     * @param function code of each rank.
     * @param <T>      type of the elements.
     * @param <R>      type of the results.
     * @return results of all ranks.
     */
    public static <T, R> RDD<R> mapPartitions(final RDD<T> rdd, final RankFunction<T, R> function)
    {
        TaskSlots.require(rdd);
        return rdd.barrier().mapPartitions(new RankTask<>(function), false, anyClass());
    }

    /**
     * As {@link #mapPartitions(JavaRDD, RankFunction)}, but if a task fails or its executor is lost, Spark starts all
     * tasks of the stage again, up to {@code spark.stage.maxConsecutiveAttempts} times. For this, results go through a
     * shuffle: they are written to the executors' disks, and tasks of another stage read them.
     *
     * @param rdd      data, with at most as many partitions as tasks can run at once.
     * @param function code of each rank, which may run several times.
     * @param <T>      type of the elements.
     * @param <R>      type of the results.
     * @return results of all ranks, in the same partitions and order.
     * @throws IllegalArgumentException as {@link #mapPartitions(JavaRDD, RankFunction)}.
     */
    public static <T, R> JavaRDD<R> mapPartitionsWithRetry(final JavaRDD<T> rdd, final RankFunction<T, R> function)
    {
        return mapPartitions(rdd, function)
            .<Tuple2<Integer, R>>mapPartitionsWithIndex((rank, results) -> withRank(rank, results), true)
            .mapToPair(result -> result)
            .partitionBy(new HashPartitioner(rdd.getNumPartitions())).values();
    }

    /**
     * As {@link #mapPartitionsWithRetry(JavaRDD, RankFunction)}, for callers in Scala.
     *
     * @param rdd      data, with at most as many partitions as tasks can run at once.
     * @param function code of each rank, which may run several times.
     * @param <T>      type of the elements.
     * @param <R>      type of the results.
     * @return results of all ranks.
     */
    public static <T, R> RDD<R> mapPartitionsWithRetry(final RDD<T> rdd, final RankFunction<T, R> function)
    {
        return mapPartitionsWithRetry(JavaRDD.fromRDD(rdd, anyClass()), function).rdd();
    }

    private static <R> Iterator<Tuple2<Integer, R>> withRank(final Integer rank, final Iterator<R> results)
    {
        return new Iterator<>()
        {
            @Override
            public boolean hasNext()
            {
                return results.hasNext();
            }

            @Override
            public Tuple2<Integer, R> next()
            {
                return new Tuple2<>(rank, results.next());
            }
        };
    }

    /** Java's types are erased, so Spark gets the tag that its own API for Java uses. */
    @SuppressWarnings("unchecked")
    private static <R> ClassTag<R> anyClass()
    {
        return (ClassTag<R>)ClassTag$.MODULE$.AnyRef();
    }
}
