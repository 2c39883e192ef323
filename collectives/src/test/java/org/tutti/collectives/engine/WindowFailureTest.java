/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.ProcessStates;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who uses a window wrongly, or waits in one for what does not come, learns why, and nothing hangs. */
@Timeout(60)
class WindowFailureTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    /** What is done with a window. */
    private interface Use
    {
        void with(Window window, DataBuffer buffer);
    }

    static Stream<Arguments> wrongUses()
    {
        return Stream.of(
            wrong("beyond the end", (w, b) -> w.put(b, 0, 10, 1, 11), "outside of the window of rank 1, which has 20"),
            wrong("before the begin", (w, b) -> w.get(b, 0, 1, 1, -1), "outside of the window of rank 1"),
            wrong("an overflow", (w, b) -> w.put(b, 0, 1, 1, Long.MAX_VALUE), "outside of the window of rank 1"),
            wrong("beyond the source", (w, b) -> w.iput(b, 5, 6, 1, 0), "outside of source, which has 10"),
            wrong("beyond the target", (w, b) -> w.iget(b, 0, 11, 1, 0), "outside of target, which has 10"),
            wrong("an overflow there", (w, b) -> w.put(b, 1, Long.MAX_VALUE, 1, 0), "outside of source"),
            wrong("a negative count", (w, b) -> w.put(b, 1, -1, 1, 0), "outside of source"),
            wrong("no rank", (w, b) -> w.put(b, 0, 1, 2, 0), "rank=2: must be from 0 to 1"),
            wrong("a negative rank", (w, b) -> w.waitSignal(-1, 0, 1), "rank=-1: must be from 0 to 1"),
            wrong("no signal", (w, b) -> w.putSignal(b, 0, 1, 1, 0, 4), "signal=4: must be from 0 to 3"),
            wrong("a negative signal", (w, b) -> w.signal(1, -1), "signal=-1: must be from 0 to 3"),
            wrong("no signals", (w, b) -> w.waitSignal(1, 0, 0), "count=0: must be at least 1"),
            wrong("no timeout", (w, b) -> w.withTimeout(Duration.ZERO), "timeout=PT0S: must be more than 0"));
    }

    private static Arguments wrong(final String name, final Use use, final String message)
    {
        return Arguments.of(name, use, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("wrongUses")
    void shouldRefuseWhatIsWrongAndGoOn(final String name, final Use use, final String message)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 10);
                final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
                try (Window window = communicator.window(memory, 4))
                {
                    final RuntimeException thrown =
                        assertThrows(RuntimeException.class, () -> use.with(window, buffer));
                    assertTrue(thrown instanceof IllegalArgumentException ||
                        thrown instanceof IndexOutOfBoundsException, thrown::toString);
                    assertTrue(thrown.getMessage().contains(message), thrown::getMessage);
                    window.putSignal(buffer, 0, 10, 1 - communicator.rank(), 10, 3);
                    window.waitSignal(1 - communicator.rank(), 3, 1);
                }
                // No request holds it.
                buffer.close();
            });
        }
    }

    @Test
    void shouldRefuseBuffersThatDoNotFit()
    {
        try (Ranks ranks = new Ranks(1); Ranks others = new Ranks(1))
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
            final DataBuffer floats = communicator.allocate(DataType.FLOAT32, 20);
            final DataBuffer foreign = others.communicator(0).allocate(DataType.INT32, 20);
            assertThrows(IllegalArgumentException.class, () -> communicator.window(foreign));
            assertThrows(IllegalArgumentException.class, () -> communicator.window(memory, 0));
            assertThrows(IllegalArgumentException.class,
                () -> communicator.window(memory, Window.MAX_SIGNALS + 1));
            try (Window window = communicator.window(memory))
            {
                assertThrows(IllegalArgumentException.class, () -> window.put(foreign, 0, 1, 0, 0));
                final String message = assertThrows(
                    IllegalArgumentException.class, () -> window.put(floats, 0, 1, 0, 0)).getMessage();
                assertTrue(message.contains("elements of float, the window of int32"), message);
                assertTrue(assertThrows(IllegalArgumentException.class,
                    () -> window.put(memory, 0, 10, 0, 5)).getMessage().contains("overlap by 20 bytes"));
                assertThrows(IllegalStateException.class, memory::close);
            }
            memory.close();
            assertThrows(IllegalStateException.class, () -> communicator.window(memory));
        }
    }

    @Test
    void shouldRefuseCallsOfAClosedWindow()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, 20);
                final Window window = communicator.window(memory);
                final Request request = window.iput(memory, 0, 10, 1 - communicator.rank(), 10);
                window.close();
                assertTrue(request.test());
                for (final Use use : List.<Use>of(
                    (w, b) -> w.put(b, 0, 1, 0, 0), (w, b) -> w.iget(b, 0, 1, 1, 0), (w, b) -> w.signal(1, 0),
                    (w, b) -> w.waitSignal(1, 0, 1), (w, b) -> w.testSignal(1, 0, 1), (w, b) -> w.flush(),
                    (w, b) -> w.fence()))
                {
                    final String message = assertThrows(
                        IllegalStateException.class, () -> use.with(window, memory)).getMessage();
                    assertTrue(message.contains("the window is closed"), message);
                }
                communicator.barrier();
            });
        }
    }

    @Test
    void shouldNameRankAndSignalThatDidNotComeInTime()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 1)
                {
                    window.signal(0, 5);
                }
                if (communicator.rank() == 0)
                {
                    window.waitSignal(1, 5, 1);
                    window.withTimeout(Duration.ofMillis(300)).waitSignal(1, 5, 2);
                }
            });
            final CollectiveTimeoutException timeout =
                assertInstanceOf(CollectiveTimeoutException.class, thrown.getFirst());
            assertEquals(1, timeout.peer());
            final String message = timeout.getMessage();
            assertTrue(message.startsWith("rank 0 ("), message);
            assertTrue(message.contains("waitSignal(rank 1 ("), message);
            assertTrue(message.contains("signal 5, 0 of 2 came) in window #0"), message);
            assertTrue(message.contains("timed out after 0.3 s waiting for rank 1 ("), message);
            assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());
        }
    }

    @Test
    void shouldSayWhatTheProcessOfTheRankDoesThatDidNotSignalInTime()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final ProcessStates states = new ProcessStates();
        states.set(1, 4711, ProcessState.STOPPED);
        group.getFirst().put(ProcessStates.KEY, states.encode());
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final Throwable thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.withTimeout(Duration.ofMillis(300)).waitSignal(1, 5, 1);
                }
            }).getFirst();
            final CollectiveTimeoutException timeout = assertInstanceOf(CollectiveTimeoutException.class, thrown);
            assertEquals(1, timeout.peer());
            assertTrue(timeout.getMessage().endsWith("; rank 1 (pid 4711) is stopped"), timeout::getMessage);
        }
    }

    @Test
    void shouldNameADeadRank()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                try (Window window = communicator.window(memory))
                {
                    switch (communicator.rank())
                    {
                        case 0 -> window.waitSignal(2, 0, 1);
                        case 1 -> window.iwaitSignal(2, 0, 1).toFuture().join();
                        default ->
                        {
                            ranks.awaitWaiting(0, "waitSignal");
                            ranks.awaitWaiting(1, "join");
                            group.get(0).fail(new RankFailure(2, "host", 1, "it was killed"));
                            window.waitSignal(0, 0, 1);
                        }
                    }
                }
            });
            for (int rank = 0; rank < 2; rank++)
            {
                final Throwable failure = rank == 0 ? thrown.get(0) : thrown.get(1).getCause();
                assertEquals(2, assertInstanceOf(RankFailedException.class, failure).peer());
                assertTrue(failure.getMessage().contains("it was killed"), failure::getMessage);
            }
            assertTrue(thrown.get(0).getMessage().contains("waitSignal(rank 2 ("), thrown::toString);
        }
    }

    @Test
    void shouldTellThatTheOtherRankHasClosed()
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

    /** It waits in no call, and learns it all the same. */
    @Test
    void shouldTellWhoTestsThatTheOtherRankHasClosed()
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

    @Test
    void shouldTellWhyARankCannotAnswer()
    {
        final List<Bootstrap> group = InMemoryBootstrap.group(2).stream().map(WindowFailureTest::breaking).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.signal(1, 0);
                }
            });
            assertInstanceOf(CollectiveException.class, thrown.getFirst());
            assertTrue(thrown.getFirst().getMessage().contains("no way from here"), thrown::toString);
        }
    }

    /** Whoever is asked cannot connect. */
    private static Bootstrap breaking(final Bootstrap bootstrap)
    {
        return (Bootstrap)Proxy.newProxyInstance(WindowFailureTest.class.getClassLoader(),
            new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("takeAsync") && ((String)arguments[0]).contains("/ask/") &&
                    bootstrap.rank() == 1)
                {
                    throw new BootstrapException("no way from here");
                }
                try
                {
                    return method.invoke(bootstrap, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    @Test
    void shouldRefuseAFenceInAGroup()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                    Window window = communicator.window(memory))
                {
                    communicator.group(() ->
                    {
                        final String message =
                            assertThrows(IllegalStateException.class, window::fence).getMessage();
                        assertTrue(message.contains("in a group of the communicator"), message);
                    });
                    window.fence();
                }
            });
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
    void shouldTellRanksThatDisagreeOnAWindow()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
                communicator.window(communicator.allocate(DataType.INT32, 1), communicator.rank() == 1 ? 3 : 4));
            requireAll(thrown, "window(int32, 3 signals) #0", "window(int32, 4 signals) #0");
        }
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator -> communicator.window(
                communicator.allocate(communicator.rank() == 0 ? DataType.INT32 : DataType.FLOAT64, 1), 1));
            requireAll(thrown, "window(int32, 1 signal) #0", "window(double, 1 signal) #0");
        }
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.window(communicator.allocate(DataType.INT32, 1));
                }
                else
                {
                    communicator.dup();
                }
            });
            requireAll(thrown, "window(int32, 8 signals) #0", "dup #0");
        }
    }

    @Test
    void shouldTellRanksThatCloseAWindowOrCallSomethingElse()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.close();
                }
                communicator.allreduce(new int[1], ReduceOp.SUM);
            });
            final Throwable seen = thrown.get(1);
            assertInstanceOf(CollectiveException.class, seen);
            assertTrue(thrown.stream().anyMatch(each -> each.getMessage().contains("close of window #1") &&
                each.getMessage().contains("allreduce(1 × int32, sum)")), thrown::toString);
        }
    }

    private static void requireAll(final List<Throwable> thrown, final String... parts)
    {
        assertFalse(thrown.contains(null));
        for (final String part : parts)
        {
            assertTrue(thrown.stream().anyMatch(each -> each.getMessage().contains("ranks disagree") &&
                each.getMessage().contains(part)), () -> part + ": " + thrown);
        }
    }

    /** Neither when it was closed, nor when its communicator was. */
    @Test
    void shouldLeaveNothingInTheStore()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final List<Bootstrap> group = InMemoryBootstrap.group(3).stream()
            .map(bootstrap -> PointToPointFailureTest.recording(bootstrap, keys)).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final int next = (communicator.rank() + 1) % 3;
                final Window left = communicator.window(communicator.allocate(DataType.INT32, 1));
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                    Window window = communicator.window(memory))
                {
                    window.signal(next, 0);
                    left.isignal(next, 1);
                    window.waitSignal((next + 1) % 3, 0, 1);
                }
                // What ranks call is kept there until all close.
                assertTrue(keys.stream().anyMatch(key -> key.contains("calls/")), keys::toString);
            });
        }
        keys.removeIf(key -> Stream.of("/ask/", "/answer/", "/bell/", "/end/").noneMatch(key::contains));
        assertEquals(Set.of(), keys);
    }

    /** Somebody needs a rank for the first time, and asks it to connect, while all close. */
    @Test
    void shouldLeaveNothingInTheStoreThoughItIsClosedWhileItConnects()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final CountDownLatch rings = new CountDownLatch(1);
        final CompletableFuture<Thread> closing = new CompletableFuture<>();
        final List<Bootstrap> group = InMemoryBootstrap.group(2).stream()
            .map(bootstrap -> ringingLate(PointToPointFailureTest.recording(bootstrap, keys), rings, closing))
            .toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                final FutureTask<Void> late = new FutureTask<>(() -> signal(window, communicator.rank()), null);
                WaitingThread.start(late, false);
                rings.await();
                if (communicator.rank() == 0)
                {
                    closing.complete(Thread.currentThread());
                }
                window.close();
                late.get();
            });
        }
        keys.removeIf(key -> Stream.of("/ask/", "/answer/", "/bell/", "/end/").noneMatch(key::contains));
        assertEquals(Set.of(), keys);
    }

    /** Of rank 0, to rank 1, if the window is not closed before. */
    private static void signal(final Window window, final int rank)
    {
        try
        {
            if (rank == 0)
            {
                window.signal(1, 0);
            }
        }
        catch (final IllegalStateException closed)
        {
            assertTrue(closed.getMessage().contains("the window is closed"), closed::getMessage);
        }
    }

    /** Rings at rank 1, from rank 0, no sooner than the thread that closes waits for that. */
    private static Bootstrap ringingLate(
        final Bootstrap bootstrap, final CountDownLatch rings, final CompletableFuture<Thread> closing)
    {
        return (Bootstrap)Proxy.newProxyInstance(WindowFailureTest.class.getClassLoader(),
            new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                if (method.getName().equals("putAsync") && ((String)arguments[0]).contains("/bell/1") &&
                    bootstrap.rank() == 0)
                {
                    rings.countDown();
                    WaitingThread.await(closing.get(), "endConnecting");
                }
                try
                {
                    return method.invoke(bootstrap, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }

    @Test
    void shouldNotBeUsedAfterAnotherFailure()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 4);
                    Window window = communicator.window(memory))
                {
                    if (communicator.rank() == 0)
                    {
                        assertThrows(CollectiveTimeoutException.class,
                            () -> communicator.withTimeout(Duration.ofMillis(100)).recv(new int[1], 1));
                        assertThrows(CollectiveException.class, () -> window.put(memory, 0, 1, 1, 1));
                        assertThrows(CollectiveException.class, () -> window.waitSignal(1, 0, 1));
                    }
                }
            });
            assertNull(thrown.getFirst());
        }
    }
}
