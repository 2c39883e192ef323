/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.device.QueueSizes;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests that puts write the right elements and are visible with their signals, and that gets read the right elements.
 */
@Timeout(60)
class WindowTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldPutIntoAllRanksMemory(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator -> WindowCases.putIntoAll(communicator, 1_000));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldGetFromAllRanksMemory(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator -> WindowCases.getFromAll(communicator, 1_000));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 4_096, 100_003})
    void shouldMakePutVisibleWithItsSignal(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator -> WindowCases.passBackAndForth(communicator, count, 300));
        }
    }

    /** More operations than the send queue holds, none of them awaited. */
    @Test
    void shouldStartMoreOperationsThanTheSendQueueHolds()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator -> WindowCases.startMany(communicator, 10 * QueueSizes.SEND_DEPTH + 7));
        }
    }

    /** While the other rank is not in a call, and has not been in one before. */
    @Test
    void shouldPutAndGetWhileOtherRankMakesNoCalls() throws Exception
    {
        final AtomicReference<Throwable> problem = new AtomicReference<>();
        try (Ranks ranks = new Ranks(2))
        {
            final DataBuffer[] memories = new DataBuffer[2];
            final Window[] windows = new Window[2];
            ranks.run(communicator ->
            {
                memories[communicator.rank()] = WindowCases.filled(communicator, 100, communicator.rank());
                windows[communicator.rank()] = communicator.window(memories[communicator.rank()]);
            });
            final DataBuffer mine = WindowCases.filled(ranks.communicator(0), 100, 7);
            // No thread of rank 1 is in a call now.
            final Thread thread = Thread.ofVirtual().start(() ->
            {
                try
                {
                    windows[0].put(mine, 0, 50, 1, 50);
                    windows[0].get(mine, 50, 50, 1, 0);
                }
                catch (final RuntimeException | Error e)
                {
                    problem.set(e);
                }
            });
            thread.join();
            assertNull(problem.get());
            for (int i = 0; i < 50; i++)
            {
                assertEquals(WindowCases.value(7, i), memories[1].segment().getAtIndex(JAVA_INT, 50 + i));
                assertEquals(WindowCases.value(1, i), mine.segment().getAtIndex(JAVA_INT, 50 + i));
            }
            ranks.run(communicator -> windows[communicator.rank()].close());
        }
    }

    @Test
    void shouldSupportDifferentLengthsAndEmptyMemory()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final DataBuffer memory = communicator.allocate(DataType.INT32, 10L * rank);
                final DataBuffer source = WindowCases.filled(communicator, 20, rank);
                try (Window window = communicator.window(memory, 1))
                {
                    assertSame(DataType.INT32, window.type());
                    assertEquals(1, window.signals());
                    for (int peer = 0; peer < 3; peer++)
                    {
                        assertEquals(10L * peer, window.count(peer));
                    }
                    window.put(source, 0, 0, 0, 0);
                    assertThrows(IndexOutOfBoundsException.class, () -> window.put(source, 0, 1, 0, 0));
                    if (rank == 0)
                    {
                        window.putSignal(source, 0, 20, 2, 0, 0);
                        window.signal(1, 0);
                    }
                    else
                    {
                        window.waitSignal(0, 0, 1);
                    }
                    assertEquals(rank == 2 ? WindowCases.value(0, 19) : 0, rank == 0 ? 0 :
                        memory.segment().getAtIndex(JAVA_INT, 10L * rank - 1));
                }
                memory.close();
            });
        }
    }

    @Test
    void shouldCountSignalsSeparatelyByRankAndNumber()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 0);
                    Window window = communicator.window(memory, 20))
                {
                    for (int peer = 0; peer < 3; peer++)
                    {
                        for (int signal = 0; signal < 20; signal++)
                        {
                            for (int i = 0; i <= signal + rank; i++)
                            {
                                window.isignal(peer, signal);
                            }
                        }
                    }
                    window.fence();
                    for (int peer = 0; peer < 3; peer++)
                    {
                        for (int signal = 0; signal < 20; signal++)
                        {
                            final int count = signal + peer + 1;
                            assertEquals(count, window.pendingSignals(peer, signal));
                            assertFalse(window.testSignal(peer, signal, count + 1));
                            window.waitSignal(peer, signal, 1);
                            assertTrue(count == 1 || window.testSignal(peer, signal, count - 1));
                            assertEquals(0, window.pendingSignals(peer, signal));
                        }
                    }
                }
            });
        }
    }

    @Test
    void shouldCompleteRequestsInAnyOrderAndAsFutures()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int other = 1 - communicator.rank();
                final DataBuffer memory = communicator.allocate(DataType.INT32, 64);
                final DataBuffer source = WindowCases.filled(communicator, 64, communicator.rank());
                try (Window window = communicator.window(memory))
                {
                    final Request signalled = window.iwaitSignal(other, 3, 2);
                    assertFalse(signalled.isDone());
                    final List<Request> requests = new ArrayList<>();
                    for (int i = 0; i < 64; i++)
                    {
                        requests.add(window.iput(source, i, 1, other, i));
                    }
                    assertFalse(requests.getLast().cancel());
                    requests.reversed().forEach(Request::await);
                    requests.forEach(request -> assertTrue(request.isDone() && request.test()));
                    window.isignal(other, 3).toFuture().join();
                    window.iputSignal(source, 0, 1, other, 0, 3).toFuture().join();
                    assertEquals(0, Request.awaitAny(signalled, window.iwaitSignal(other, 5, 1)));
                    assertTrue(signalled.isDone() && signalled.test());
                    assertEquals(0, window.pendingSignals(other, 3));
                    WindowCases.requireFilled(memory, other);

                    final Request never = window.iwaitSignal(other, 4, 1);
                    assertTrue(never.cancel());
                    assertThrows(CancellationException.class, never::await);
                    assertFalse(signalled.cancel());
                }
            });
        }
    }

    @Test
    void shouldSupportConcurrentCallsOfManyThreads()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator -> WindowCases.callFromManyThreads(communicator, 40));
        }
    }

    /** The model is an array: random puts and gets by one rank have the same results as on the array. */
    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    void shouldMatchArrayModelForRandomCalls(final int size)
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator -> callAtRandom(communicator, new Random(seed + communicator.rank())));
        }
    }

    /** Each rank has its own range of every rank's memory. */
    private static void callAtRandom(final Communicator communicator, final Random random)
    {
        final int part = 500;
        final int size = communicator.size();
        final long begin = (long)communicator.rank() * part;
        final DataBuffer own = WindowCases.filled(communicator, part, communicator.rank());
        final DataBuffer got = communicator.allocate(DataType.INT32, part);
        final int[][] model = new int[size][part];
        try (DataBuffer memory = communicator.allocate(DataType.INT32, (long)size * part);
            Window window = communicator.window(memory))
        {
            for (int i = 0; i < 600; i++)
            {
                final int rank = random.nextInt(size);
                final int count = random.nextInt(part + 1);
                final int from = random.nextInt(part - count + 1);
                final int to = random.nextInt(part - count + 1);
                if (random.nextBoolean())
                {
                    if (random.nextBoolean())
                    {
                        window.put(own, from, count, rank, begin + to);
                    }
                    else
                    {
                        window.iput(own, from, count, rank, begin + to);
                        window.flush(rank);
                    }
                    for (int k = 0; k < count; k++)
                    {
                        model[rank][to + k] = own.segment().getAtIndex(JAVA_INT, from + k);
                    }
                }
                else
                {
                    window.iget(got, to, count, rank, begin + from).await();
                    for (int k = 0; k < count; k++)
                    {
                        assertEquals(model[rank][from + k], got.segment().getAtIndex(JAVA_INT, to + k));
                    }
                }
            }
        }
    }

    @Test
    void shouldSeparateEpochsByFence()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final int size = communicator.size();
                final DataBuffer memory = communicator.allocate(DataType.INT32, size);
                final DataBuffer source = communicator.allocate(DataType.INT32, 1);
                try (Window window = communicator.window(memory))
                {
                    for (int round = 1; round <= 20; round++)
                    {
                        source.segment().set(JAVA_INT, 0, round * (rank + 1));
                        for (int peer = 0; peer < size; peer++)
                        {
                            window.iput(source, 0, 1, peer, rank);
                        }
                        window.fence();
                        for (int peer = 0; peer < size; peer++)
                        {
                            assertEquals(round * (peer + 1), memory.segment().getAtIndex(JAVA_INT, peer));
                        }
                        communicator.barrier();
                    }
                }
            });
        }
    }

    @Test
    void shouldSupportSeveralWindowsAndSubsetsOfRanks()
    {
        try (Ranks ranks = new Ranks(4))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                try (Communicator half = communicator.split(rank / 2, -rank);
                    DataBuffer memory = communicator.allocate(DataType.INT32, 100);
                    DataBuffer other = communicator.allocate(DataType.INT32, 10);
                    DataBuffer source = WindowCases.filled(communicator, 100, rank);
                    Window all = communicator.window(memory);
                    Window few = half.window(other))
                {
                    all.putSignal(source, 0, 100, (rank + 1) % 4, 0, 0);
                    few.putSignal(source, 0, 10, 1 - half.rank(), 0, 0);
                    all.waitSignal((rank + 3) % 4, 0, 1);
                    few.waitSignal(1 - half.rank(), 0, 1);
                    WindowCases.requireFilled(memory, (rank + 3) % 4);
                    WindowCases.requireFilled(other, rank ^ 1);
                }
            });
        }
    }

    @Test
    void shouldConnectOnlyToRanksThatAreAccessed()
    {
        final int size = 8;
        // Not the distance of an early connection.
        final int distance = 3;
        try (Ranks ranks = Ranks.of(Collections.nCopies(size, Map.of())))
        {
            ranks.run(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                final Window window = communicator.window(memory);
                final int peer = (communicator.rank() + distance) % size;
                window.signal(peer, 0);
                window.waitSignal((communicator.rank() - distance + size) % size, 0, 1);
                // The communicator itself has not connected to it.
                assertNull(ranks.team(communicator.rank()).connections()[peer]);
                window.close();
                window.close();
            });
        }
    }
}
