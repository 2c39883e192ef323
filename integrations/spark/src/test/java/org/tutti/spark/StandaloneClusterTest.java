/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tutti.collectives.ReduceOp;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs on a master and two workers that are processes of their own, as in a real cluster. */
@Tag("torture")
class StandaloneClusterTest
{
    private static final Path OLDER_JDK = Path.of("/usr/lib/jvm/java-17-openjdk-amd64");

    @TempDir
    private Path directory;

    /** A process has one application at a time. */
    @BeforeEach
    void stopShared()
    {
        TestCluster.stopShared();
    }

    private List<String> run(final UnaryOperator<SparkConf> options, final String... javaHomes) throws Exception
    {
        try (StandaloneCluster cluster = new StandaloneCluster(directory, javaHomes);
            JavaSparkContext spark = TestCluster.start(options.apply(TestCluster.configuration(cluster.master()))))
        {
            final JavaRDD<Integer> numbers = TestCluster.numbers(spark, TestCluster.RANKS);
            return TuttiSpark.mapPartitionsWithRetry(numbers, (communicator, partition) ->
            {
                final int[] sum = {partition.next() + 1};
                communicator.allreduce(sum, ReduceOp.SUM);
                if (communicator.rank() == 1 && TaskContext.get().stageAttemptNumber() == 0)
                {
                    TestCluster.killThisProcess();
                }
                communicator.barrier();
                return List.of(communicator.rank() + ": " + sum[0] + " by " + communicator.transport() +
                    " in attempt " + TaskContext.get().stageAttemptNumber()).iterator();
            }).collect();
        }
    }

    @Test
    void shouldStartAllRanksAgainWhenAnExecutorIsKilled() throws Exception
    {
        assertEquals(List.of("0: 3 by shm/shm0 in attempt 1", "1: 3 by shm/shm0 in attempt 1"),
            run(options -> options, null, null));
    }

    @Test
    void shouldCommunicateOverTcpAsBetweenHosts() throws Exception
    {
        assertEquals(List.of("0: 3 by tcp/lo in attempt 1", "1: 3 by tcp/lo in attempt 1"),
            run(options -> options.set("spark.executorEnv.TUTTI_TRANSPORT", "tcp")
            .set("spark.executorEnv.TUTTI_DEVICE", "lo"), null, null));
    }

    @Test
    void shouldNameTheOptionThatExecutorsLack() throws Exception
    {
        final SparkException error = assertThrows(SparkException.class, () ->
            run(options -> options.remove("spark.executor.extraJavaOptions"), null, null));

        assertTrue(error.getMessage().contains("ranks 0, 1 cannot join: this JVM does not let Agrona access memory: " +
            "start it with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED, by spark.executor.extraJavaOptions=" +
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"), error.getMessage());
    }

    @Test
    void shouldReportTheVersionOfJavaOfAnExecutorThatIsTooOld()
    {
        assumeTrue(Files.exists(OLDER_JDK), "needs a JDK 17 in " + OLDER_JDK);

        final SparkException error = assertThrows(SparkException.class, () ->
            run(options -> options, null, OLDER_JDK.toString()));

        assertTrue(error.getMessage().contains("UnsupportedClassVersionError"), error.getMessage());
        assertTrue(error.getMessage().contains("class file version 69"), error.getMessage());
    }
}
