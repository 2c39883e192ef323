/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Requests can be cancelled until they have begun. */
@Timeout(120)
class RequestCancelTest
{
    @Test
    void shouldCancelRequestsThatHaveNotBegun()
    {
        final CountDownLatch cancelled = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2, Map.of("TUTTI_OUTSTANDING", "1")))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    assertTrue(cancelled.await(60, TimeUnit.SECONDS));
                    communicator.barrier();
                    communicator.barrier();
                    return;
                }
                final DataBuffer buffer = NumberedBuffers.filled(communicator, 0);
                final Request first = communicator.ibarrier();
                final Request second = communicator.iallreduce(buffer, ReduceOp.SUM);
                final CompletableFuture<Void> future = second.toFuture();
                final Request third = communicator.ibarrier();
                assertFalse(first.cancel());
                assertTrue(second.cancel());
                assertFalse(second.cancel());
                cancelled.countDown();

                assertTrue(second.isDone());
                assertThrows(CancellationException.class, second::await);
                assertThrows(CancellationException.class, second::test);
                assertThrows(CancellationException.class, () -> future.get(60, TimeUnit.SECONDS));
                buffer.close();
                third.await();
                assertTrue(first.test());
            });
        }
    }

    @Test
    void shouldNotCancelWhenAnotherThreadIsInACall()
    {
        final CountDownLatch tried = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                    communicator.barrier();
                    communicator.barrier();
                    communicator.barrier();
                    return;
                }
                final Request first = communicator.ibarrier();
                final Request second = communicator.ibarrier();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
                {
                    final Future<?> call = threads.submit(() -> callWhenFree(communicator));
                    while (isFree(communicator))
                    {
                        Thread.onSpinWait();
                    }
                    assertFalse(first.cancel());
                    assertFalse(second.cancel());
                    tried.countDown();
                    call.get();
                }
                assertTrue(second.test());
                assertFalse(second.cancel());
            });
        }
    }

    /** Retries the call: a thread that checks whether another one is in a call briefly holds the lock. */
    private static void callWhenFree(final Communicator communicator)
    {
        boolean called = false;
        while (!called)
        {
            try
            {
                communicator.barrier();
                called = true;
            }
            catch (final IllegalStateException inUse)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** Whether no thread is in a call. */
    private static boolean isFree(final Communicator communicator)
    {
        try
        {
            communicator.barrierInit().close();
            return true;
        }
        catch (final IllegalStateException inUse)
        {
            return false;
        }
    }
}
