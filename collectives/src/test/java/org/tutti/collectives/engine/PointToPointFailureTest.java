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
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapRequest;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.Request;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Who sends what is not received, or receives what is not sent, learns why, and nothing hangs. */
@Timeout(60)
class PointToPointFailureTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");
    /** Shorter than a second, and two of them longer. */
    private static final long HALF_MS = 700;

    static Stream<Arguments> differentCalls()
    {
        return Stream.of(
            differ("counts", c -> c.send(new int[10], 0), "send(10 × int32, to rank 0)",
                c -> c.recv(new int[20], 2), "recv(20 × int32, from rank 2)"),
            differ("types", c -> c.send(new int[10], 0), "send(10 × int32, to rank 0)",
                c -> c.recv(new float[10], 2), "recv(10 × float, from rank 2)"),
            differ("a short and a long one", c -> c.send(new int[10], 0), "send(10 × int32, to rank 0)",
                c -> c.recv(new int[100_000], 2), "recv(100000 × int32, from rank 2)"),
            differ("a long and a short one", c -> c.send(new int[100_000], 0), "send(100000 × int32, to rank 0)",
                c -> c.recv(new int[10], 2), "recv(10 × int32, from rank 2)"),
            differ("nothing and something", c -> c.send(new int[0], 0), "send(0 × int32, to rank 0)",
                c -> c.recv(new int[10], 2), "recv(10 × int32, from rank 2)"),
            differ("much and nothing", c -> c.send(new int[2000], 0), "send(2000 × int32, to rank 0)",
                c -> c.recv(new int[0], 2), "recv(0 × int32, from rank 2)"));
    }

    private static Arguments differ(
        final String name, final Ranks.Body sends, final String sent, final Ranks.Body receives,
        final String received)
    {
        return Arguments.of(name, sends, sent, receives, received);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("differentCalls")
    void shouldTellBothWhatBothCalled(
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
                    // What is short it may have sent before the other one receives: then it learns here.
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
                assertTrue(message.contains("with the same type and count"), message);
            }
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldNameWhoDidNotReceiveInTime()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    communicator.withTimeout(Duration.ofMillis(300)).send(new int[10], 2);
                }
            });
            final CollectiveTimeoutException timeout =
                assertInstanceOf(CollectiveTimeoutException.class, thrown.get(1));
            assertEquals(2, timeout.peer());
            final String message = timeout.getMessage();
            assertTrue(message.contains("rank 1 ("), message);
            assertTrue(message.contains("send(10 × int32, to rank 2) #0 timed out after 0.3 s"), message);
            assertTrue(message.contains("has not made the call"), message);
            assertThrows(CollectiveException.class, () -> ranks.communicator(1).barrier());
        }
    }

    /** Though what is watched already has a later one. */
    @Test
    void shouldNoticeTheDeadlineOfAFutureThatIsNext()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final DataBuffer buffer = communicator.allocate(DataType.INT32, 10);
                    final Future<Void> late =
                        communicator.withTimeout(Duration.ofMinutes(2)).irecv(buffer.slice(0, 5), 1).toFuture();
                    WaitingThread.await(progressThread(0));
                    assertFalse(late.isDone());
                    communicator.withTimeout(Duration.ofMillis(300)).irecv(buffer.slice(5, 5), 2).toFuture()
                        .get(30, TimeUnit.SECONDS);
                }
            });
            assertInstanceOf(ExecutionException.class, thrown.getFirst());
            final Throwable cause = thrown.getFirst().getCause();
            assertEquals(2, assertInstanceOf(CollectiveException.class, cause).peer());
            assertTrue(cause.getMessage().contains("timed out after 0.3 s"), cause::getMessage);
        }
    }

    /** The one that waits for the futures of a rank: one of a communicator that was closed before may be ending. */
    private static Thread progressThread(final int rank)
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("tutti-progress-" + rank))
            .max(Comparator.comparingLong(Thread::threadId)).orElseThrow();
    }

    @Test
    void shouldNameADeadRank()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                switch (communicator.rank())
                {
                    case 0 -> communicator.recv(new int[1], 2);
                    case 1 -> communicator.isend(communicator.allocate(DataType.INT32, 100_000), 0).await();
                    default ->
                    {
                        ranks.awaitWaiting(0, "recv");
                        ranks.awaitWaiting(1, "await");
                        group.get(0).fail(new RankFailure(2, "host", 1, "it was killed"));
                    }
                }
            });
            for (int rank = 0; rank < 2; rank++)
            {
                final RankFailedException failure = assertInstanceOf(RankFailedException.class, thrown.get(rank));
                assertEquals(2, failure.peer());
                assertTrue(failure.getMessage().contains("it was killed"), failure::getMessage);
            }
            assertTrue(thrown.get(0).getMessage().contains("recv(1 × int32, from rank 2)"), thrown::toString);
        }
    }

    @Test
    void shouldTellThatTheOtherRankHasClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.recv(new int[1], 1);
                }
                else
                {
                    communicator.close();
                }
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1) #0", "closed its communicator");
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldTellThatTheOtherRankHasClosedAfterOtherCalls()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[1], 1);
                    communicator.send(new int[2000], 1);
                }
                else
                {
                    communicator.recv(new int[1], 0);
                    communicator.close();
                }
            });
            requireClosed(thrown.get(0), "send(2000 × int32, to rank 1) #1", "closed its communicator after call #0");
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldFailWhatIsNotDoneWhenClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final DataBuffer buffer = communicator.allocate(DataType.INT32, 5);
                    final Request received = communicator.irecv(buffer, 1);
                    communicator.close();
                    received.await();
                }
            });
            requireClosed(thrown.get(0), "recv(5 × int32, from rank 1) #0", "closed the communicator while");
        }
    }

    @Test
    void shouldEndACallThatAnotherThreadWaitsIn()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.recv(new int[1], 1);
                    return;
                }
                ranks.awaitWaiting(0, "recv");
                ranks.communicator(0).close();
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1) #0", "closed the communicator while");
            assertThrows(IllegalStateException.class, () -> ranks.communicator(0).send(new int[1], 1));
        }
    }

    /** It has the turns of two links, and waits in one. */
    @Test
    void shouldEndASendrecvThatAnotherThreadWaitsIn()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT32, 1);
                final DataBuffer output = communicator.allocate(DataType.INT32, 1);
                if (communicator.rank() == 0)
                {
                    communicator.sendrecv(input, 1, output, 1);
                    return;
                }
                communicator.recv(output, 0);
                ranks.awaitWaiting(0, "sendrecv");
                ranks.communicator(0).close();
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1) #0", "closed the communicator while");
        }
    }

    /** Rank 1 may see that they disagree, too, but tells nobody: rank 0 has to know by itself. */
    @Test
    void shouldThrowTheFailureOfACallThatItOnlyHelpsAlong()
    {
        final AtomicReference<Request> sending = new AtomicReference<>();
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
                        sending.set(communicator.isend(communicator.allocate(DataType.INT32, 200_000), 1));
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
                        communicator.irecv(communicator.allocate(DataType.INT32, 100_000), 0);
                        failed.await();
                    }
                    default -> failed.await();
                }
            });
            requireDisagreement(thrown.get(0));
            requireDisagreement(assertThrows(CollectiveException.class, sending.get()::await));
            requireDisagreement(assertThrows(
                CollectiveException.class, () -> ranks.communicator(0).recv(new int[1], 2)));
            assertNull(thrown.get(2));
        }
    }

    private static Bootstrap silent(final Bootstrap bootstrap)
    {
        return (Bootstrap)Proxy.newProxyInstance(PointToPointFailureTest.class.getClassLoader(),
            new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                try
                {
                    return method.getName().equals("abort") ? null : method.invoke(bootstrap, arguments);
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
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

    /** The other rank does the first half late, and the second half too late, unless this one has given up by then. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHaveOneDeadlineForBothHalvesOfASendrecv(final boolean isBehindOthers)
    {
        final CountDownLatch connected = new CountDownLatch(1);
        final CountDownLatch failed = new CountDownLatch(1);
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                // Too long to be sent before somebody receives it.
                final DataBuffer input = communicator.allocate(DataType.INT32, 2000);
                final DataBuffer output = communicator.allocate(DataType.INT32, 2000);
                if (communicator.rank() == 1)
                {
                    communicator.recv(output, 0);
                    communicator.send(input, 0);
                    connected.await();
                    ranks.awaitWaiting(0, "sendrecv");
                    Thread.sleep(HALF_MS);
                    if (isBehindOthers)
                    {
                        communicator.recv(output, 0);
                        communicator.recv(output, 0);
                    }
                    else
                    {
                        communicator.send(input, 0);
                    }
                    if (failed.await(HALF_MS, TimeUnit.MILLISECONDS))
                    {
                        return;
                    }
                    if (isBehindOthers)
                    {
                        communicator.send(input, 0);
                    }
                    else
                    {
                        communicator.recv(output, 0);
                    }
                    return;
                }
                communicator.sendrecv(input, 1, output, 1);
                connected.countDown();
                try
                {
                    if (isBehindOthers)
                    {
                        communicator.isend(communicator.allocate(DataType.INT32, 2000), 1);
                    }
                    communicator.withTimeout(Duration.ofSeconds(1)).sendrecv(input, 1, output, 1);
                }
                finally
                {
                    failed.countDown();
                }
            });
            assertInstanceOf(CollectiveTimeoutException.class, thrown.get(0));
            assertTrue(thrown.get(0).getMessage().contains("timed out after 1.0 s"), thrown.get(0)::getMessage);
        }
    }

    private static void requireClosed(final Throwable thrown, final String... parts)
    {
        assertInstanceOf(CollectiveException.class, thrown);
        for (final String part : parts)
        {
            assertTrue(thrown.getMessage().contains(part), thrown::getMessage);
        }
    }

    /** Also of a link that only one rank has made, as nothing was to be sent. */
    @Test
    void shouldLeaveNothingInTheStore()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final List<Bootstrap> group =
            InMemoryBootstrap.group(2).stream().map(bootstrap -> recording(bootstrap, keys)).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final int[] values = {communicator.rank()};
                final Communicator twin = communicator.dup();
                for (final Communicator each : List.of(communicator, twin))
                {
                    if (communicator.rank() == 0)
                    {
                        each.send(values, 1);
                        each.recv(new int[0], 1);
                    }
                    else
                    {
                        each.recv(values, 0);
                        assertEquals(0, values[0]);
                    }
                }
                assertTrue(keys.stream().anyMatch(key -> key.contains(">1-0/endpoint")), keys::toString);
                twin.close();
            });
        }
        keys.removeIf(key -> !key.contains(">"));
        assertEquals(Set.of(), keys);
    }

    /** Keeps the keys of what was put and not taken. */
    static Bootstrap recording(final Bootstrap bootstrap, final Set<String> keys)
    {
        return (Bootstrap)Proxy.newProxyInstance(PointToPointFailureTest.class.getClassLoader(),
            new Class<?>[] {Bootstrap.class}, (proxy, method, arguments) ->
            {
                try
                {
                    if (method.getName().equals("put") || method.getName().equals("putAsync"))
                    {
                        keys.add((String)arguments[0]);
                    }
                    final Object result = method.invoke(bootstrap, arguments);
                    // What is in memory answers at once.
                    final Object value = result instanceof final BootstrapRequest request ? request.value() : result;
                    if (method.getName().startsWith("take") && value != null)
                    {
                        keys.remove((String)arguments[0]);
                    }
                    return result;
                }
                catch (final InvocationTargetException e)
                {
                    throw e.getCause();
                }
            });
    }
}
