/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ranks that make different calls: every rank's error names both calls, and none gets a wrong result. */
class DisagreementTest
{
    static Stream<Arguments> differentCalls()
    {
        return Stream.of(
            calls("counts", c -> c.allreduce(new float[7], ReduceOp.SUM), "allreduce(7 × float, sum)",
                c -> c.allreduce(new float[8], ReduceOp.SUM), "allreduce(8 × float, sum)"),
            calls("types", c -> c.allreduce(new float[7], ReduceOp.SUM), "allreduce(7 × float, sum)",
                c -> c.allreduce(new int[7], ReduceOp.SUM), "allreduce(7 × int32, sum)"),
            calls("operations", c -> c.allreduce(new float[7], ReduceOp.SUM), "allreduce(7 × float, sum)",
                c -> c.allreduce(new float[7], ReduceOp.AVG), "allreduce(7 × float, avg)"),
            calls("collectives", c -> c.barrier(), "barrier",
                c -> c.allreduce(new float[7], ReduceOp.SUM), "allreduce(7 × float, sum)"),
            calls("roots", c -> c.broadcast(new double[7], 0), "broadcast(7 × double, root 0)",
                c -> c.broadcast(new double[7], 1), "broadcast(7 × double, root 1)"),
            calls("roots, many elements", c -> c.broadcast(new double[70_000], 0), "root 0",
                c -> c.broadcast(new double[70_000], 1), "root 1"),
            calls("no elements", c -> c.allreduce(new float[0], ReduceOp.SUM), "allreduce(0 × float, sum)",
                c -> c.allreduce(new float[1], ReduceOp.SUM), "allreduce(1 × float, sum)"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differentCalls")
    void shouldReportBothCallsToBothRanks(
        final String name, final Ranks.Body first, final String firstText,
        final Ranks.Body second, final String secondText)
    {
        final Map<String, String> environment = Map.of("TUTTI_TIMEOUT", "30s");
        try (Ranks ranks = Ranks.of(List.of(environment, environment)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                (communicator.rank() == 0 ? first : second).run(communicator);
                communicator.allreduce(new long[1], ReduceOp.MAX);
                communicator.allreduce(new long[1], ReduceOp.MAX);
            });

            for (final Throwable failure : thrown)
            {
                assertDisagreement(failure, "#1", firstText, secondText);
            }
        }
    }

    @Test
    void shouldDetectDataThatArrivedBeforeTheCall() throws Exception
    {
        final CountDownLatch sent = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.FLOAT32, 4);
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    sent.await();
                }
                communicator.broadcast(buffer, communicator.rank());
                sent.countDown();
            });

            assertDisagreement(thrown.get(0), "#1", "root 0", "root 1");
            assertNull(thrown.get(1));
            assertDisagreement(ranks.outcomes(Communicator::close).get(1), "#1", "root 0", "root 1");
        }
    }

    @Test
    void shouldDetectLateDataInTheNextCall() throws Exception
    {
        requireDisagreementBy(Communicator::barrier);
    }

    @Test
    void shouldDetectLateDataOnClose() throws Exception
    {
        requireDisagreementBy(Communicator::close);
    }

    private static void requireDisagreementBy(final Ranks.Body next)
    {
        final CountDownLatch first = new CountDownLatch(1);
        final CountDownLatch second = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                broadcastFromSelf(communicator.rank(), communicator.allocate(DataType.FLOAT32, 4),
                    first, second, buffer -> communicator.broadcast(buffer, communicator.rank()));
                next.run(communicator);
            });

            for (final Throwable failure : thrown)
            {
                assertDisagreement(failure, "#1", "root 0", "root 1");
            }
        }
    }

    @Test
    void shouldAcceptEmptyCallsOfARankThatIsFarAhead()
    {
        final Semaphore ahead = new Semaphore(0);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                for (int round = 0; round < 3; round++)
                {
                    if (communicator.rank() == 0)
                    {
                        assertTrue(ahead.tryAcquire(60, TimeUnit.SECONDS));
                    }
                    for (int i = 0; i < 256; i++)
                    {
                        communicator.broadcast(new float[0], 0);
                    }
                    if (communicator.rank() == 1)
                    {
                        ahead.release();
                    }
                    final int[] ranksSeen = {communicator.rank() + round};
                    communicator.broadcast(ranksSeen, 0);
                    assertEquals(round, ranksSeen[0]);
                }
            });
        }
    }

    /** Both ranks are roots, and rank 0 has finished before rank 1 sends. */
    private static void broadcastFromSelf(
        final int rank, final DataBuffer buffer, final CountDownLatch first, final CountDownLatch second,
        final java.util.function.Consumer<DataBuffer> broadcast) throws InterruptedException
    {
        if (rank == 0)
        {
            broadcast.accept(buffer);
            first.countDown();
            second.await();
            return;
        }
        first.await();
        try
        {
            broadcast.accept(buffer);
        }
        finally
        {
            second.countDown();
        }
    }

    private static Arguments calls(
        final String name, final Ranks.Body first, final String firstText,
        final Ranks.Body second, final String secondText)
    {
        return Arguments.of(name, first, firstText, second, secondText);
    }

    private static void assertDisagreement(
        final Throwable failure, final String call, final String firstText, final String secondText)
    {
        assertInstanceOf(CollectiveException.class, failure);
        final String message = failure.getMessage();
        assertTrue(message.contains("ranks disagree in call " + call + ":"), message);
        assertTrue(message.contains(firstText), message);
        assertTrue(message.contains(secondText), message);
    }
}
