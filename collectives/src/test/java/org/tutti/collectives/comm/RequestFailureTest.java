/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.Request;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests that are not done when the communicator fails or is closed. */
@Timeout(120)
class RequestFailureTest
{
    @Test
    void shouldFailAllRequestsWhenTheCommunicatorFails()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Communicator hasty = communicator.withTimeout(Duration.ofMillis(200));
                if (communicator.rank() == 0)
                {
                    final Request first = hasty.ibarrier();
                    final Request second = hasty.ibarrier();
                    final CompletableFuture<Void> future = second.toFuture();
                    assertInstanceOf(CollectiveException.class,
                        assertThrows(ExecutionException.class, () -> future.get(60, TimeUnit.SECONDS)).getCause());
                    assertThrows(CollectiveException.class, second::test);
                    first.await();
                }
            });

            assertInstanceOf(CollectiveException.class, thrown.get(0));
            assertTrue(thrown.get(0).getMessage().contains("rank 1"), thrown.get(0)::getMessage);
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldTimeOutInAwait()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.withTimeout(Duration.ofMillis(200)).ibarrier().await();
                }
            });
            assertInstanceOf(CollectiveTimeoutException.class, thrown.get(0));
        }
    }

    @Test
    void shouldFailPendingRequestsWhenClosed()
    {
        final CountDownLatch closed = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final Request request = communicator.ibarrier();
                    try
                    {
                        communicator.close();
                    }
                    finally
                    {
                        closed.countDown();
                    }
                    request.await();
                }
                else
                {
                    closed.await();
                    communicator.barrier();
                }
            });
            for (final Throwable outcome : thrown)
            {
                assertInstanceOf(CollectiveException.class, outcome);
                assertTrue(outcome.getMessage().contains("closed the communicator"), outcome::getMessage);
            }
        }
    }
}
