/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Both ranks' errors name both calls when a send and a receive do not match. */
@Timeout(60)
class PointToPointMismatchTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    static Stream<Arguments> differentCalls()
    {
        return Stream.of(
            differ("types", c -> c.send(new int[10], 0), "send(10 × int32, to rank 0, tag 0)",
                c -> c.recv(new float[10], 2), "recv(10 × float, from rank 2, tag 0)"),
            differ("too long by one", c -> c.send(new int[11], 0, 7), "send(11 × int32, to rank 0, tag 7)",
                c -> c.recv(new int[10], 2, PointToPoint.ANY_TAG), "recv(10 × int32, from rank 2, any tag)"),
            differ("a long and a short one", c -> c.send(new int[100_000], 0), "send(100000 × int32, to rank 0, tag 0)",
                c -> c.recv(new int[10], PointToPoint.ANY_SOURCE), "recv(10 × int32, from any rank, tag 0)"),
            differ("long ones", c -> c.send(new int[100_000], 0), "send(100000 × int32, to rank 0, tag 0)",
                c -> c.recv(new int[99_999], 2), "recv(99999 × int32, from rank 2, tag 0)"),
            differ("much and nothing", c -> c.send(new int[2000], 0), "send(2000 × int32, to rank 0, tag 0)",
                c -> c.recv(new int[0], 2), "recv(0 × int32, from rank 2, tag 0)"));
    }

    private static Arguments differ(
        final String name, final Ranks.Body sends, final String sent, final Ranks.Body receives,
        final String received)
    {
        return Arguments.of(name, sends, sent, receives, received);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differentCalls")
    void shouldReportBothCallsToBothRanksWhenTheyDiffer(
        final String name, final Ranks.Body sends, final String sent, final Ranks.Body receives,
        final String received)
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 2)
                {
                    communicator.send(new int[3], 0);
                    sends.run(communicator);
                    // A short message may have been sent before the receive: the sender gets the error here.
                    communicator.recv(new int[3], 0);
                }
                else if (communicator.rank() == 0)
                {
                    communicator.recv(new int[3], 2);
                    receives.run(communicator);
                    communicator.send(new int[3], 2);
                }
            });
            for (final int rank : new int[] {0, 2})
            {
                assertInstanceOf(CollectiveException.class, thrown.get(rank));
                final String message = thrown.get(rank).getMessage();
                assertTrue(message.contains("ranks disagree in call #1"), message);
                assertTrue(message.contains(sent) && message.contains(received), message);
                assertTrue(message.contains("rank 2 (") && message.contains("rank 0 ("), message);
                assertTrue(message.contains("a message must have the type of the receive that it matches"), message);
            }
            assertNull(thrown.get(1));
        }
    }

    /** Rank 0 waits for rank 2, and detects the mismatch with rank 1. */
    @Test
    void shouldThrowTheFailureOfAnotherCallThatItProgresses()
    {
        final AtomicReference<Request> receiving = new AtomicReference<>();
        final CountDownLatch started = new CountDownLatch(1);
        final CountDownLatch failed = new CountDownLatch(1);
        final List<Bootstrap> group = new ArrayList<>(InMemoryBootstrap.group(3));
        group.set(1, silent(group.get(1)));
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                switch (communicator.rank())
                {
                    case 0 ->
                    {
                        communicator.send(new int[1], 1);
                        receiving.set(communicator.irecv(communicator.allocate(DataType.INT32, 100_000), 1));
                        started.countDown();
                        try
                        {
                            communicator.recv(new int[1], 2);
                        }
                        finally
                        {
                            failed.countDown();
                        }
                    }
                    case 1 ->
                    {
                        communicator.recv(new int[1], 0);
                        started.await();
                        communicator.isend(communicator.allocate(DataType.INT32, 200_000), 0);
                        failed.await();
                    }
                    default -> failed.await();
                }
            });
            requireDisagreement(thrown.get(0));
            requireDisagreement(assertThrows(CollectiveException.class, receiving.get()::await));
            requireDisagreement(assertThrows(
                CollectiveException.class, () -> ranks.communicator(0).recv(new int[1], 2)));
            assertNull(thrown.get(2));
        }
    }

    private static Bootstrap silent(final Bootstrap bootstrap)
    {
        return InterceptedBootstrap.of(bootstrap, (method, arguments, call) ->
            method.equals("abort") ? null : call.with(arguments));
    }

    private static void requireDisagreement(final Throwable thrown)
    {
        assertFalse(thrown instanceof RankFailedException, thrown::toString);
        assertEquals(1, assertInstanceOf(CollectiveException.class, thrown).peer());
        final String message = thrown.getMessage();
        assertTrue(message.contains("ranks disagree in call #1"), message);
        assertTrue(message.contains("send(200000 × int32") && message.contains("recv(100000 × int32"), message);
        assertFalse(message.contains("from rank 2"), message);
    }
}
