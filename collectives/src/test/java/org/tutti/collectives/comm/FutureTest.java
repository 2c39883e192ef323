/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Futures of requests whose callers do not wait. */
@Timeout(120)
class FutureTest
{
    private static final int MANY = 50;
    private static final int REQUESTS = 300;
    private static final long LIMIT_S = 60;

    @Test
    void shouldCompleteFuturesWithoutAWaitingThread()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = NumberedBuffers.allocate(communicator, MANY);
                final AtomicInteger done = new AtomicInteger();
                final CompletableFuture<?>[] futures = buffers.stream()
                    .map(buffer -> communicator.iallreduce(buffer, ReduceOp.SUM).toFuture()
                    .thenRun(done::incrementAndGet)).toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(futures).get(LIMIT_S, TimeUnit.SECONDS);

                assertEquals(MANY, done.get());
                for (int i = 0; i < MANY; i++)
                {
                    NumberedBuffers.requireSum(i, 3, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldAllowCallsInDependentStages()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = NumberedBuffers.filled(communicator, 0);
                communicator.iallreduce(buffer, ReduceOp.SUM).toFuture()
                    .thenRun(() -> communicator.broadcast(buffer, 0)).get(LIMIT_S, TimeUnit.SECONDS);
                NumberedBuffers.requireSum(0, 2, buffer);
            });
        }
    }

    @Test
    void shouldReturnTheSameFuture()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                final Request request = communicator.ibarrier();
                assertEquals(request.toFuture(), request.toFuture());
                request.toFuture().get(LIMIT_S, TimeUnit.SECONDS);
            });
        }
    }

    @Test
    void shouldCompleteFuturesWhenRequestsAreClosedOrRestarted()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                final List<CompletableFuture<Void>> futures = new ArrayList<>();
                for (int i = 0; i < REQUESTS; i++)
                {
                    try (PersistentRequest request = communicator.allreduceInit(buffer, ReduceOp.SUM))
                    {
                        request.start();
                        futures.add(request.toFuture());
                        request.await();
                        request.run();
                        futures.add(request.toFuture());
                    }
                }
                // It is the thread that waits for futures that completes this one.
                futures.add(communicator.iallreduce(buffer, ReduceOp.SUM).toFuture());
                for (final CompletableFuture<Void> future : futures)
                {
                    future.get(LIMIT_S, TimeUnit.SECONDS);
                }
            });
        }
    }

    @Test
    void shouldThrowWhenTheFutureOfAClosedRequestIsRequested()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                final PersistentRequest request = communicator.barrierInit();
                request.close();

                assertThrows(IllegalStateException.class, request::toFuture);
            });
        }
    }
}
