/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/**
 * A Spark application on two executors of one core, each in a process of its own. Tests share it, as it takes seconds
 * to start; Spark replaces executors that a test kills. A process has one application at a time.
 */
final class TestCluster
{
    static final int RANKS = 2;
    static final String LOCAL_CLUSTER = "local-cluster[2,1,1024]";
    /** How long calls wait for executors, which tests kill. */
    static final String WAITING_TIME = "spark.scheduler.maxRegisteredResourcesWaitingTime";
    private static JavaSparkContext shared;

    private TestCluster()
    {
    }

    /** Returns the application that tests share. */
    static synchronized JavaSparkContext shared()
    {
        if (shared == null)
        {
            shared = start(configuration(LOCAL_CLUSTER));
        }
        return shared;
    }

    /** Stops the shared application, so that a test can start another one. */
    static synchronized void stopShared()
    {
        if (shared != null)
        {
            shared.stop();
            shared = null;
        }
    }

    static JavaSparkContext start(final SparkConf configuration)
    {
        try
        {
            // Spark refuses a home without it.
            Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return new JavaSparkContext(configuration);
    }

    static SparkConf configuration(final String master)
    {
        return new SparkConf(false).setMaster(master).setAppName("tutti-test")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .set("spark.executor.extraJavaOptions", RankNotice.OPTION +
                " -XX:+UseSerialGC -XX:TieredStopAtLevel=1")
            .set("spark.executor.memory", "1g").set("spark.executor.cores", "1")
            .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
            .set(WAITING_TIME, "300s")
            .set("spark.stage.maxConsecutiveAttempts", "2").set("spark.excludeOnFailure.enabled", "false");
    }

    /** Returns numbers from 0, one in each partition. */
    static JavaRDD<Integer> numbers(final JavaSparkContext spark, final int partitions)
    {
        return spark.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions);
    }

    /** Ends this process as the kernel does when memory is short. */
    static void killThisProcess()
    {
        try
        {
            new ProcessBuilder("kill", "-KILL", Long.toString(ProcessHandle.current().pid())).start().waitFor();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
