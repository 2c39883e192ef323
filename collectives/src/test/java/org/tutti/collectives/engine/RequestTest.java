/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(120)
class RequestTest
{
    private static final int MANY = 50;

    @Test
    void shouldAwaitAllOfManyStartedAtOnce()
    {
        final int size = 3;
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = buffers(communicator);
                final List<Request> requests = new ArrayList<>();
                for (final DataBuffer buffer : buffers)
                {
                    requests.add(communicator.iallreduce(buffer, ReduceOp.SUM));
                }
                Request.awaitAll(requests.toArray(Request[]::new));

                for (int i = 0; i < MANY; i++)
                {
                    assertTrue(requests.get(i).isDone());
                    assertTrue(requests.get(i).test());
                    requireSum(i, size, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldBlockUntilWhatWasStartedBeforeIsDone()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = filled(communicator, 0);
                final Request request = communicator.iallreduce(buffer, ReduceOp.SUM);
                communicator.broadcast(buffer, 1);

                assertTrue(request.isDone());
                requireSum(0, 2, buffer);
            });
        }
    }

    @Test
    void shouldGoOnWhenTested()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1 << 20);
                buffer.segment().fill((byte)1);
                final Request request = communicator.iallreduce(buffer, ReduceOp.MAX);
                while (!request.test())
                {
                    Thread.onSpinWait();
                }
                assertEquals(0x01010101, buffer.segment().get(JAVA_INT, 4));
            });
        }
    }

    @Test
    void shouldFindOneThatIsDone()
    {
        final CountDownLatch found = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Request first = communicator.ibarrier();
                if (communicator.rank() == 0)
                {
                    final Request second = communicator.ibarrier();
                    assertEquals(1, Request.awaitAny(second, first));
                    assertFalse(second.test());
                    found.countDown();
                    second.await();
                }
                else
                {
                    first.await();
                    assertTrue(found.await(60, TimeUnit.SECONDS));
                    communicator.barrier();
                }
            });
        }
        assertThrows(IllegalArgumentException.class, Request::awaitAny);
    }

    @Test
    void shouldCompleteFuturesWithoutAnybodyWaiting()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = buffers(communicator);
                final AtomicInteger done = new AtomicInteger();
                final CompletableFuture<?>[] futures = buffers.stream()
                    .map(buffer -> communicator.iallreduce(buffer, ReduceOp.SUM).toFuture()
                    .thenRun(done::incrementAndGet)).toArray(CompletableFuture<?>[]::new);
                CompletableFuture.allOf(futures).get(60, TimeUnit.SECONDS);

                assertEquals(MANY, done.get());
                for (int i = 0; i < MANY; i++)
                {
                    requireSum(i, 3, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldLetAFutureCallTheCommunicator()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = filled(communicator, 0);
                communicator.iallreduce(buffer, ReduceOp.SUM).toFuture()
                    .thenRun(() -> communicator.broadcast(buffer, 0)).get(60, TimeUnit.SECONDS);
                requireSum(0, 2, buffer);
            });
        }
    }

    @Test
    void shouldGiveTheSameFuture()
    {
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                final Request request = communicator.ibarrier();
                assertEquals(request.toFuture(), request.toFuture());
                request.toFuture().get(60, TimeUnit.SECONDS);
            });
        }
    }

    @Test
    void shouldServeVirtualThreadsThatWaitAtOnce()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final List<DataBuffer> buffers = buffers(communicator);
                final List<Request> requests =
                    buffers.stream().map(buffer -> communicator.iallreduce(buffer, ReduceOp.SUM)).toList();
                final List<Future<?>> waits = new ArrayList<>();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
                {
                    requests.forEach(request -> waits.add(threads.submit(request::await)));
                }
                for (final Future<?> wait : waits)
                {
                    wait.get();
                }
                for (int i = 0; i < MANY; i++)
                {
                    requireSum(i, 2, buffers.get(i));
                }
            });
        }
    }

    @Test
    void shouldBlockInVirtualThreadsOfMoreRanksThanCores() throws Exception
    {
        final int size = 2 * Runtime.getRuntime().availableProcessors() + 1;
        final List<Communicator> communicators = Communicators.inProcess(size);
        final List<Future<?>> calls = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
        {
            for (final Communicator communicator : communicators)
            {
                calls.add(threads.submit(() ->
                {
                    final DataBuffer buffer = filled(communicator, 3);
                    for (int i = 0; i < MANY; i++)
                    {
                        communicator.barrier();
                    }
                    communicator.allreduce(buffer, ReduceOp.SUM);
                    requireSum(3, size, buffer);
                    communicator.close();
                }));
            }
        }
        for (final Future<?> call : calls)
        {
            call.get();
        }
    }

    @Test
    void shouldCancelWhatHasNotBegun()
    {
        final CountDownLatch cancelled = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
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
                final DataBuffer buffer = filled(communicator, 0);
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
    void shouldNotCancelWhileAnotherThreadIsInACall()
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

    /** Whoever looks whether a thread is in a call keeps another one from calling just then. */
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

    @Test
    void shouldStartPersistentOnesAgainAndAgain()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final DataBuffer input = filled(communicator, 5);
                final DataBuffer output = communicator.allocate(DataType.INT32, input.count());
                final PersistentRequest allreduce = communicator.allreduceInit(input, output, ReduceOp.SUM);
                final PersistentRequest broadcast = communicator.broadcastInit(output, 2);
                final PersistentRequest barrier = communicator.barrierInit();
                for (int i = 0; i < MANY; i++)
                {
                    output.segment().fill((byte)0);
                    allreduce.start();
                    broadcast.start();
                    barrier.start();
                    barrier.await();
                    assertTrue(allreduce.test());
                    requireSum(5, 3, output);
                    allreduce.run();
                    communicator.allreduce(input, output, ReduceOp.SUM);
                    requireSum(5, 3, output);
                }
                assertThrows(IllegalStateException.class, output::close);
                allreduce.close();
                broadcast.close();
                barrier.close();
                output.close();
                assertThrows(IllegalStateException.class, allreduce::start);
            });
        }
    }

    @Test
    void shouldRefuseToStartWhatIsNotDoneOrToUseWhatWasNotStarted()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final CountDownLatch tried = new CountDownLatch(1);
            ranks.run(communicator ->
            {
                final PersistentRequest barrier = communicator.barrierInit();
                assertTrue(barrier.isDone());
                assertThrows(IllegalStateException.class, barrier::test);
                assertThrows(IllegalStateException.class, barrier::await);
                assertThrows(IllegalStateException.class, barrier::toFuture);
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                }
                barrier.start();
                if (communicator.rank() == 0)
                {
                    assertThrows(IllegalStateException.class, barrier::start);
                    assertThrows(IllegalStateException.class, barrier::run);
                    assertThrows(IllegalStateException.class, barrier::close);
                    tried.countDown();
                }
                barrier.await();
            });
        }
    }

    @Test
    void shouldKeepBuffersOpenUntilRequestsAreDone()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final CountDownLatch tried = new CountDownLatch(1);
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 8);
                final DataBuffer half = buffer.slice(4, 4);
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                }
                final Request request = communicator.iallreduce(half, ReduceOp.SUM);
                final DataBuffer first = buffer.slice(0, 4);
                final Request queued = communicator.iallreduce(first, ReduceOp.SUM);
                first.close();
                if (communicator.rank() == 0)
                {
                    final String message = assertThrows(IllegalStateException.class, buffer::close).getMessage();
                    assertTrue(message.contains("in use"), message);
                    tried.countDown();
                }
                request.await();
                queued.await();
                buffer.close();
            });
        }
    }

    @Test
    void shouldTellAllRequestsThatTheCommunicatorFailed()
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
    void shouldTimeOutWhileAwaiting()
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
    void shouldFailWhatIsNotDoneWhenClosed()
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

    private static List<DataBuffer> buffers(final Communicator communicator)
    {
        final List<DataBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < MANY; i++)
        {
            buffers.add(filled(communicator, i));
        }
        return buffers;
    }

    /** The i-th buffer: of a length of its own, with numbers of its own. */
    private static DataBuffer filled(final Communicator communicator, final int i)
    {
        final DataBuffer buffer = communicator.allocate(DataType.INT32, 1 + 7L * i * i);
        for (long element = 0; element < buffer.count(); element++)
        {
            buffer.segment().setAtIndex(JAVA_INT, element, (int)element + i + communicator.rank());
        }
        return buffer;
    }

    private static void requireSum(final int i, final int size, final DataBuffer buffer)
    {
        for (long element = 0; element < buffer.count(); element++)
        {
            assertEquals(size * ((int)element + i) + size * (size - 1) / 2,
                buffer.segment().getAtIndex(JAVA_INT, element));
        }
    }
}
