/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.ReduceOp;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A failure of one communicator fails all of its context; ranks that create different ones report both calls. */
@Timeout(90)
class ContextFailureTest
{
    @Test
    void shouldFailEveryCommunicatorWhenARankDies()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        final CountDownLatch reduced = new CountDownLatch(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, Map.of())))
        {
            ranks.run(world ->
            {
                final Communicator copy = world.dup();
                final Communicator pair = world.sub(2, 0);
                SplitTest.checkAllreduce(copy);
                reduced.countDown();
                if (world.rank() == 1)
                {
                    reduced.await();
                    group.get(1).fail(new RankFailure(1, "host", 7, "killed by SIGKILL"));
                    return;
                }
                try (ExecutorService threads = Executors.newFixedThreadPool(3))
                {
                    final Future<RankFailedException> ofWorld = threads.submit(() -> assertThrows(
                        RankFailedException.class, world::barrier));
                    final Future<RankFailedException> ofCopy = threads.submit(() -> assertThrows(
                        RankFailedException.class, copy::barrier));
                    final Future<RankFailedException> ofPair = threads.submit(() -> assertThrows(
                        RankFailedException.class, () -> forEver(pair)));

                    for (final Future<RankFailedException> each : List.of(ofWorld, ofCopy, ofPair))
                    {
                        final String message = each.get().getMessage();
                        assertTrue(message.contains("rank 1 on host (pid 7) failed: killed by SIGKILL"), message);
                    }
                }
                pair.close();
            });
        }
    }

    private static void forEver(final Communicator communicator) throws InterruptedException
    {
        while (true)
        {
            communicator.barrier();
            Thread.sleep(1);
        }
    }

    @Test
    void shouldFailOtherCommunicatorsOfTheRankAtOnce()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(world ->
            {
                final Communicator copy = world.dup();
                if (world.rank() == 0)
                {
                    assertThrows(CollectiveTimeoutException.class,
                        () -> copy.withTimeout(Duration.ofMillis(50)).barrier());

                    final CollectiveException later = assertThrows(
                        CollectiveException.class, () -> world.allocate(DataType.INT32, 1));
                    assertTrue(later.getMessage().contains("the communicator has failed: rank 0 (rank 0 of the job, "),
                        later::getMessage);
                    assertThrows(CollectiveException.class, world::dup);
                }
            });
        }
    }

    @Test
    void shouldNameBothCallsWhenOneRankSplitsAndAnotherReduces()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(world ->
            {
                world.barrier();
                if (world.rank() == 0)
                {
                    world.split(0, 0);
                }
                else
                {
                    world.allreduce(new float[7], ReduceOp.SUM);
                }
            });

            for (final Throwable failure : thrown)
            {
                assertInstanceOf(CollectiveException.class, failure);
                final String message = failure.getMessage();
                assertTrue(message.contains("ranks disagree in call #1:"), message);
                assertTrue(message.contains("called split") && message.contains("called allreduce(7 × float, sum)"),
                    message);
            }
        }
    }

    @Test
    void shouldNameBothCallsWhenRanksNeverConnected()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(world ->
            {
                if (world.rank() == 0)
                {
                    world.dup();
                }
                else
                {
                    world.allreduce(new float[7], ReduceOp.SUM);
                }
            });

            for (final Throwable failure : thrown)
            {
                assertInstanceOf(CollectiveException.class, failure);
                final String message = failure.getMessage();
                assertTrue(message.contains("ranks disagree in call #0:"), message);
                assertTrue(message.contains("called dup") && message.contains("called allreduce(7 × float, sum)"),
                    message);
            }
        }
    }

    @Test
    void shouldNameTheRankWithAnotherSetupCall()
    {
        assertDisagreement(Communicator::dup, "dup #0", world -> world.split(0, 0), "split #0");
        assertDisagreement(world -> world.sub(0, 1, 2), "sub(3 ranks) #0",
            world -> world.sub(0, 2, 1), "with different");
        assertDisagreement(world ->
        {
            world.broadcast(new float[0], 0);
            return world.dup();
        }, "dup #1", Communicator::dup, "dup #0");
    }

    /** Makes a communicator. */
    private interface Making
    {
        Communicator of(Communicator world);
    }

    private static void assertDisagreement(
        final Making first, final String firstText, final Making others, final String othersText)
    {
        try (Ranks ranks = new Ranks(3))
        {
            for (final Throwable failure : ranks.outcomes(
                world -> (world.rank() == 0 ? first : others).of(world)))
            {
                assertInstanceOf(CollectiveException.class, failure);
                final String message = failure.getMessage();
                assertTrue(message.contains("ranks disagree: ") && message.contains("rank 0 ("), message);
                assertTrue(message.contains(firstText) && message.contains(othersText), message);
            }
        }
    }

    @Test
    void shouldNameTheRankThatMissesASetupCall()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(world ->
            {
                world.barrier();
                if (world.rank() != 1)
                {
                    world.withTimeout(Duration.ofMillis(300)).split(0, 0);
                }
            });

            assertNull(thrown.get(1));
            final Throwable first = thrown.get(0) instanceof CollectiveTimeoutException ? thrown.get(0) : thrown.get(2);
            final String message = assertInstanceOf(CollectiveTimeoutException.class, first).getMessage();
            assertTrue(message.contains("split #1 timed out after 0.3 s"), message);
            assertTrue(message.contains("has not made the call: its last call was barrier #0"), message);
        }
    }

    @Test
    void shouldFailASetupCallWhenAnotherThreadCloses() throws Exception
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            final CountDownLatch closed = new CountDownLatch(1);
            final List<Throwable> thrown = ranks.outcomes(world ->
            {
                if (world.rank() == 1)
                {
                    while (ranks.team(0).memory().control().entered() < 0)
                    {
                        Thread.sleep(1);
                    }
                    ranks.communicator(0).close();
                    closed.countDown();
                    return;
                }
                try
                {
                    world.split(0, 0);
                }
                finally
                {
                    closed.await();
                    assertFalse(Thread.currentThread().isInterrupted());
                }
            });

            assertInstanceOf(CollectiveException.class, thrown.get(0));
            assertTrue(thrown.get(0).getMessage().contains("closed the communicator while it waited"),
                thrown.get(0)::getMessage);
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldFreeEverythingWhenAllCloseAfterAFailure()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final Path directory = Path.of(group.getFirst().jobDirectory());
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, Map.of())))
        {
            ranks.run(world ->
            {
                final Communicator copy = world.dup();
                if (world.rank() == 0)
                {
                    assertThrows(CollectiveTimeoutException.class,
                        () -> copy.withTimeout(Duration.ofMillis(50)).barrier());
                }
                world.close();
                assertTrue(Files.exists(directory));
                copy.close();
            });
        }
        assertFalse(Files.exists(directory), directory + " is left");
        assertEquals(2, group.size());
    }
}
