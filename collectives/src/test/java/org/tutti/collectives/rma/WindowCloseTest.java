/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.Ranks;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a call of a window that another thread or rank closes fails, and accesses no freed memory. */
@Timeout(60)
class WindowCloseTest
{
    private static final VarHandle FIRST = ValueLayout.JAVA_INT.varHandle();
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    @Test
    void shouldFailRequestsWhenTheirWindowIsClosed()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                window.signal(communicator.rank(), 1);
                final Request taken = window.iwaitSignal(communicator.rank(), 1, 1);
                taken.await();
                final Request request = window.iwaitSignal(1 - communicator.rank(), 0, 1);
                assertFalse(request.isDone());
                window.close();
                assertTrue(request.isDone());
                for (final Executable use : List.<Executable>of(
                    request::test, request::await, () -> window.testSignal(0, 0, 1), () -> window.pendingSignals(0, 0)))
                {
                    final String message = assertThrows(IllegalStateException.class, use).getMessage();
                    assertTrue(message.contains("the window is closed"), message);
                }
                assertTrue(taken.test());
                taken.await();
            });
        }
    }

    /** No thread may read the memory of signals that another thread frees. */
    @Test
    void shouldEndWaitsWhenAFailedWindowIsClosed()
    {
        for (int round = 0; round < 20; round++)
        {
            final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
            final Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE));
            final CountDownLatch waits = new CountDownLatch(2);
            ranks.run(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                final CompletableFuture<Void> waiting = CompletableFuture.runAsync(() ->
                {
                    waits.countDown();
                    window.waitSignal(1 - communicator.rank(), 0, 1);
                }, task -> Thread.ofPlatform().start(task));
                waits.await();
                group.get(communicator.rank()).fail(new RankFailure(1, "host", 1, "it was killed"));
                try
                {
                    window.close();
                }
                catch (final CollectiveException killed)
                {
                    assertTrue(killed.getMessage().contains("it was killed"), killed::toString);
                }
                final ExecutionException thrown =
                    assertThrows(ExecutionException.class, () -> waiting.get(30, TimeUnit.SECONDS));
                // The thread may have been too late to wait.
                assertTrue(thrown.getCause() instanceof CollectiveException ||
                    thrown.getMessage().contains("the window is closed"), thrown::toString);
            });
            ranks.outcomes(Communicator::close);
        }
    }

    @Test
    void shouldFailWaitWhenOtherRankHasClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.waitSignal(1, 2, 1);
                }
                else
                {
                    window.close();
                }
            });
            assertInstanceOf(CollectiveException.class, thrown.getFirst());
            assertTrue(thrown.getFirst().getMessage().contains("has closed the window"), thrown::toString);
            assertInstanceOf(CollectiveException.class, thrown.get(1));
        }
    }

    /** A rank that only tests does not wait in a call, but must detect it as well. */
    @Test
    void shouldFailTestedRequestWhenOtherRankHasClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    final Request request = window.iwaitSignal(1, 2, 1);
                    while (!request.test())
                    {
                        Thread.sleep(1);
                    }
                }
                else
                {
                    window.withTimeout(Duration.ofSeconds(10)).close();
                }
            });
            assertInstanceOf(CollectiveException.class, thrown.getFirst());
            assertTrue(thrown.getFirst().getMessage().contains("has closed the window"), thrown::toString);
        }
    }

    /** A rank that has closed before the first put to it. */
    @Test
    void shouldFailFirstPutWhenOtherRankHasClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final CountDownLatch gone = new CountDownLatch(1);
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    gone.await();
                    window.signal(1, 0);
                }
                else
                {
                    try
                    {
                        window.withTimeout(Duration.ofMillis(200)).close();
                    }
                    finally
                    {
                        gone.countDown();
                    }
                }
            });
            assertInstanceOf(CollectiveTimeoutException.class, thrown.get(1));
            assertTrue(thrown.getFirst().getMessage().contains("close of window #0"), thrown::toString);
        }
    }

    @Test
    void shouldEndAWaitWhenItsCommunicatorIsClosed()
    {
        final CountDownLatch signalled = new CountDownLatch(1);
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                window.signal(1 - communicator.rank(), 1);
                window.waitSignal(1 - communicator.rank(), 1, 1);
                if (communicator.rank() == 0)
                {
                    signalled.countDown();
                    window.waitSignal(1, 0, 1);
                }
                else
                {
                    signalled.await();
                    ranks.awaitWaiting(0, "waitSignal");
                    ranks.communicator(0).close();
                }
            });
            assertInstanceOf(CollectiveException.class, thrown.getFirst());
            assertTrue(thrown.getFirst().getMessage().contains("closed the communicator while it waited"),
                thrown::toString);
        }
    }

    @Test
    void shouldCloseWindowsWithTheCommunicator()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final DataBuffer[] memories = new DataBuffer[3];
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                memories[rank] = communicator.allocate(DataType.INT32, 3);
                final DataBuffer source = WindowCases.filled(communicator, 3, rank);
                final Window window = communicator.window(memories[rank]);
                window.iput(source, rank, 1, (rank + 1) % 3, rank);
                communicator.close();
                window.close();
                assertThrows(IllegalStateException.class, () -> window.signal(0, 0));
            });
        }
    }

    @Test
    void shouldCompleteFuturesExceptionallyWhenAwaitThrows()
    {
        final OutOfMemoryError error = new OutOfMemoryError("no memory for what went wrong");
        final AbstractWindowRequest task = new AbstractWindowRequest(1)
        {
            @Override
            public boolean test()
            {
                return false;
            }

            @Override
            public void await()
            {
                throw error;
            }

            @Override
            public boolean isDone()
            {
                return false;
            }

            @Override
            public boolean cancel()
            {
                return false;
            }
        };
        assertSame(error, assertThrows(
            ExecutionException.class, () -> task.toFuture().get(30, TimeUnit.SECONDS)).getCause());
    }

    /** A long copy by another thread is complete when the window is closed. */
    @Test
    void shouldNotCloseWhileMemoryIsCopied()
    {
        final long count = 1L << 25;
        try (Ranks ranks = new Ranks(1))
        {
            ranks.run(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, count);
                final DataBuffer source = communicator.allocate(DataType.INT32, count);
                source.segment().fill((byte)1);
                final Window window = communicator.window(memory);
                final Thread thread = Thread.ofPlatform().start(() -> window.put(source, 0, count, 0, 0));
                while ((int)FIRST.getVolatile(memory.segment(), 0L) == 0)
                {
                    Thread.onSpinWait();
                }
                window.close();
                assertEquals(0x01010101, memory.segment().getAtIndex(ValueLayout.JAVA_INT, count - 1));
                thread.join();
            });
        }
    }
}
