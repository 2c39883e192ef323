/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.spark;

import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.ReduceOp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TuttiSparkTest
{
    private static final int STAGES = Boolean.getBoolean("tutti.test.torture") ? 20 : 3;

    private static JavaRDD<Integer> numbers()
    {
        return TestCluster.numbers(TestCluster.shared(), TestCluster.RANKS);
    }

    /** Returns a text of each rank: its rank, the sum of all partitions' numbers, and more. */
    private static Iterator<String> sum(final Communicator communicator, final Iterator<Integer> partition)
    {
        final int[] sum = {0};
        partition.forEachRemaining(number -> sum[0] += number + 1);
        communicator.allreduce(sum, ReduceOp.SUM);
        return List.of(communicator.rank() + " of " + communicator.size() + ": " + sum[0]).iterator();
    }

    @Test
    void shouldSumOverPartitionsThroughSharedMemory()
    {
        final List<String> results = TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
        {
            final Iterator<String> sums = sum(communicator, partition);
            return List.of(sums.next() + " by " + communicator.transport() + " in stage attempt " +
                TaskContext.get().stageAttemptNumber()).iterator();
        }).collect();

        assertEquals(List.of("0 of 2: 3 by shm/shm0 in stage attempt 0", "1 of 2: 3 by shm/shm0 in stage attempt 0"),
            results);
    }

    @Test
    void shouldRunTheQuickStart()
    {
        final List<Double> centred = SparkQuickStart.centred(TestCluster.shared());

        assertEquals(IntStream.range(0, 100).mapToObj(i -> i - 49.5).toList(), centred);
    }

    @Test
    void shouldAcceptAnRddOfScala()
    {
        final Object results = TuttiSpark.mapPartitions(numbers().rdd(), TuttiSparkTest::sum).collect();

        assertEquals(List.of("0 of 2: 3", "1 of 2: 3"), List.of((Object[])results));
        assertEquals("0 of 2: 3", TuttiSpark.mapPartitionsWithRetry(numbers().rdd(), TuttiSparkTest::sum).first());
    }

    @Test
    void shouldKeepTheCommunicatorOpenUntilSparkHasReadAllResults()
    {
        final List<Integer> results = TuttiSpark.<Integer, Integer>mapPartitions(numbers(), (communicator, partition) ->
            IntStream.range(0, 3).map(i ->
            {
                final int[] sum = {i * 10 + communicator.rank()};
                communicator.allreduce(sum, ReduceOp.SUM);
                return sum[0];
            }).iterator()).collect();

        assertEquals(List.of(1, 21, 41, 1, 21, 41), results);
    }

    @Test
    void shouldReportTheErrorOfTheRankThatFailedAfterOthersHadFinished(@TempDir final Path directory)
    {
        final String finished = directory.resolve("finished").toString();
        final SparkException error = assertThrows(SparkException.class, () ->
            TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
            {
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    Files.createFile(Path.of(finished));
                    return Collections.<String>emptyIterator();
                }
                awaitFile(finished);
                throw new IOException("file is damaged");
            }).collect());

        assertContains(error, "java.io.IOException: file is damaged");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldReportTheErrorOfTheRankThatFailedFirst(final int failing)
    {
        final SparkException error = assertThrows(SparkException.class, () ->
            TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
            {
                communicator.barrier();
                if (communicator.rank() == failing)
                {
                    throw new IOException("file is damaged");
                }
                return sum(communicator, partition);
            }).collect());

        assertContains(error, "java.io.IOException: file is damaged", "ResultTask(", ", " + failing + ")");
    }

    @Test
    void shouldReportTheErrorOfTheRankThatFailedFirstWhenOthersWrapTheirs()
    {
        final SparkException error = assertThrows(SparkException.class, () ->
            TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
            {
                communicator.barrier();
                if (communicator.rank() == 1)
                {
                    throw new IOException("file is damaged");
                }
                try
                {
                    return sum(communicator, partition);
                }
                catch (final CollectiveException ex)
                {
                    throw new IllegalStateException("cannot sum", ex);
                }
            }).collect());

        assertContains(error, "java.io.IOException: file is damaged");
    }

    /** As {@link #sum}, but writes the error of the call, if it fails, to a file. */
    private static Iterator<String> sumOrNote(
        final Communicator communicator, final Iterator<Integer> partition, final String file) throws IOException
    {
        try
        {
            return sum(communicator, partition);
        }
        catch (final CollectiveException ex)
        {
            final Path written = Files.writeString(Path.of(file + ".part"), ex.getMessage());
            Files.move(written, Path.of(file), StandardCopyOption.ATOMIC_MOVE);
            throw ex;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNameTheFailedRankInTheCallsOfOthers(final int failing, @TempDir final Path directory) throws Exception
    {
        final String seen = directory.resolve("seen").toString();

        assertThrows(SparkException.class, () -> TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
        {
            communicator.barrier();
            if (communicator.rank() == failing)
            {
                throw new IllegalStateException("no data");
            }
            return sumOrNote(communicator, partition, seen);
        }).collect());

        assertNamesRank(failing, seen);
        assertTrue(Files.readString(Path.of(seen)).contains("java.lang.IllegalStateException: no data"),
            Files.readString(Path.of(seen)));
    }

    private static void assertNamesRank(final int failed, final String file) throws Exception
    {
        // Tasks of a job that has failed may end after it.
        awaitFile(file);
        final String message = Files.readString(Path.of(file));
        // On a busy host, a lost connection may be reported before Spark has reported the executor.
        assertTrue(message.contains(" failed: rank " + failed + " on ") ||
            message.contains("on the connection to rank " + failed + " "), message);
    }

    @Test
    void shouldRejectFunctionThatReturnsNull()
    {
        final SparkException error = assertThrows(SparkException.class, () ->
            TuttiSpark.mapPartitions(numbers(), (communicator, partition) -> (Iterator<String>)null).collect());

        assertContains(error, "returned null: return an empty iterator instead");
    }

    @Test
    void shouldNameSlotsWhenThereAreMorePartitions()
    {
        final JavaSparkContext spark = TestCluster.shared();
        final String waitingTime = spark.getConf().get(TestCluster.WAITING_TIME);
        // Waits for both executors, one of which another test may have killed.
        TuttiSpark.mapPartitions(numbers(), TuttiSparkTest::sum);
        spark.sc().conf().set(TestCluster.WAITING_TIME, "1s");

        final IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () ->
            TuttiSpark.mapPartitions(TestCluster.numbers(spark, 3), TuttiSparkTest::sum));
        spark.sc().conf().set(TestCluster.WAITING_TIME, waitingTime);

        assertTrue(error.getMessage().contains("the data has 3 partitions, but only 2 tasks can run at once: " +
            "barrier mode needs a slot for each partition"), error.getMessage());
    }

    @Test
    void shouldEndWaitsWhenTheJobIsCancelled(@TempDir final Path directory)
        throws Exception
    {
        final String started = directory.resolve("started").toString();
        final JavaFutureAction<List<String>> job = TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
        {
            communicator.barrier();
            if (communicator.rank() == 1)
            {
                Files.createFile(Path.of(started));
                final int[] never = {0};
                communicator.recv(never, 0, 1);
            }
            // Rank 0 also waits, for a message that no rank sends.
            communicator.recv(new int[1], 1, 2);
            return Collections.<String>emptyIterator();
        }).collectAsync();
        awaitFile(started);
        job.cancel(true);

        // Runs only when the tasks of the cancelled job have ended, as they occupy all slots.
        assertEquals(List.of("0 of 2: 3", "1 of 2: 3"),
            TuttiSpark.mapPartitions(numbers(), TuttiSparkTest::sum).collect());
        assertTrue(job.isCancelled());
    }

    @Test
    void shouldStartAllRanksAgainWhenAnExecutorIsKilled()
    {
        final List<String> results = TuttiSpark.mapPartitionsWithRetry(numbers(), (communicator, partition) ->
        {
            communicator.barrier();
            if (communicator.rank() == 1 && BarrierTaskContext.get().stageAttemptNumber() == 0)
            {
                TestCluster.killThisProcess();
            }
            final Iterator<String> sums = sum(communicator, partition);
            return List.of(sums.next() + " in attempt " + BarrierTaskContext.get().stageAttemptNumber(), "end")
                .iterator();
        }).collect();

        assertEquals(List.of("0 of 2: 3 in attempt 1", "end", "1 of 2: 3 in attempt 1", "end"), results);
    }

    @Test
    void shouldPermitSparkToReadSomeResultsOfAStageThatIsRetried()
    {
        final JavaRDD<String> results = TuttiSpark.mapPartitionsWithRetry(numbers(), TuttiSparkTest::sum);

        assertEquals("0 of 2: 3", results.first());
        assertEquals(List.of("1 of 2: 3"), results.union(results).filter(text -> text.startsWith("1")).take(1));
    }

    /** Rank 0 runs the coordinator. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldNameTheRankOfAKilledExecutorInTheCallsOfOthers(final int killed, @TempDir final Path directory)
        throws Exception
    {
        final String seen = directory.resolve("seen").toString();

        final SparkException error = assertThrows(SparkException.class, () ->
            TuttiSpark.mapPartitions(numbers(), (communicator, partition) ->
            {
                communicator.barrier();
                if (communicator.rank() == killed)
                {
                    TestCluster.killThisProcess();
                }
                return sumOrNote(communicator, partition, seen);
            }).collect());

        assertContains(error, "barrier ResultStage", ", " + killed + ") finished unsuccessfully");
        assertNamesRank(killed, seen);
    }

    @Test
    void shouldLeaveNothingAfterManyStages()
    {
        final JavaRDD<Integer> numbers = numbers();
        TuttiSpark.mapPartitions(numbers, TuttiSparkTest::sum).collect();
        final List<String> before = HeldResources.ofExecutors(numbers);
        for (int stage = 0; stage < STAGES; stage++)
        {
            assertEquals(2, TuttiSpark.mapPartitions(numbers, TuttiSparkTest::sum).collect().size());
        }

        assertEquals(before, HeldResources.ofExecutors(numbers));
    }

    private static void awaitFile(final String name) throws InterruptedException
    {
        while (!Files.exists(Path.of(name)))
        {
            Thread.sleep(10);
        }
    }

    private static void assertContains(final SparkException error, final String... parts)
    {
        for (final String part : parts)
        {
            assertTrue(error.getMessage().contains(part), () -> part + " is not in: " + error.getMessage());
        }
    }
}
