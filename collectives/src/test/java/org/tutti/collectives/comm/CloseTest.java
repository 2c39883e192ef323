/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CloseTest
{
    @Test
    void shouldFailOnOtherRanksWhenARankClosesEarly()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    communicator.withTimeout(Duration.ofSeconds(30)).barrier();
                }
                else
                {
                    communicator.close();
                }
            });

            assertInstanceOf(CollectiveException.class, thrown.get(0));
            assertFalse(thrown.get(0) instanceof CollectiveTimeoutException, thrown::toString);
            final String message = thrown.get(0).getMessage();
            assertTrue(message.contains("barrier #1 failed: rank 1 "), message);
            assertTrue(message.contains("closed its communicator after call #0"), message);
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldReportARankThatClosedWithoutACallThatDoesNotWaitForIt()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                // No rank of a copy is connected: otherwise the broadcast would send its message and return.
                final Communicator copy = communicator.dup();
                if (copy.rank() == 0)
                {
                    copy.broadcast(copy.allocate(DataType.INT32, 1), 0);
                }
                copy.close();
            });

            assertInstanceOf(CollectiveException.class, thrown.get(0));
            final String message = thrown.get(0).getMessage();
            assertTrue(message.contains("rank 1 "), message);
            assertTrue(message.contains("closed its communicator before its first call"), message);
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldCloseOnceWhenThreadsCloseConcurrently()
    {
        final CyclicBarrier together = new CyclicBarrier(3);
        try (Ranks ranks = new Ranks(2))
        {
            final AtomicReference<Throwable> other = new AtomicReference<>();
            ranks.run(communicator ->
            {
                communicator.barrier();
                final Thread second = new Thread(() ->
                {
                    try
                    {
                        together.await();
                        communicator.close();
                    }
                    catch (final Exception e)
                    {
                        other.set(e);
                    }
                });
                if (communicator.rank() == 0)
                {
                    second.start();
                }
                together.await();
                communicator.close();
                second.join();
            });

            assertNull(other.get());
        }
    }

    @Test
    void shouldFailACallThatAnotherThreadWaitsInWhenClosed()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.withTimeout(Duration.ofSeconds(30)).barrier();
                    return;
                }
                while (ranks.team(0).memory().control().entered() < 0)
                {
                    Thread.sleep(1);
                }
                ranks.communicator(0).close();
            });

            assertInstanceOf(CollectiveException.class, thrown.get(0));
            final String message = thrown.get(0).getMessage();
            assertTrue(message.contains("closed the communicator while it waited for rank 1"), message);
            assertNull(thrown.get(1));
            final IllegalStateException later =
                assertThrows(IllegalStateException.class, () -> ranks.communicator(0).barrier());
            assertTrue(later.getMessage().contains("the communicator is closed"), later::getMessage);
        }
    }
}
