/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Scenarios with windows, for any transport. */
public final class WindowCases
{
    private WindowCases()
    {
    }

    public static int value(final int seed, final int index)
    {
        return seed * 1_000_003 + index;
    }

    static DataBuffer filled(final Communicator communicator, final int count, final int seed)
    {
        final DataBuffer buffer = communicator.allocate(DataType.INT32, count);
        fill(buffer, seed);
        return buffer;
    }

    static void fill(final DataBuffer buffer, final int seed)
    {
        final MemorySegment segment = buffer.segment();
        for (int i = 0; i < buffer.count(); i++)
        {
            segment.setAtIndex(JAVA_INT, i, value(seed, i));
        }
    }

    static void requireFilled(final DataBuffer buffer, final int seed)
    {
        final MemorySegment segment = buffer.segment();
        for (int i = 0; i < buffer.count(); i++)
        {
            assertEquals(value(seed, i), segment.getAtIndex(JAVA_INT, i));
        }
    }

    /** Each rank puts a block into all ranks' memory. */
    public static void putIntoAll(final Communicator communicator, final int count)
    {
        final int size = communicator.size();
        final int rank = communicator.rank();
        try (DataBuffer memory = communicator.allocate(DataType.INT32, (long)size * count);
            DataBuffer source = filled(communicator, count, rank);
            Window window = communicator.window(memory))
        {
            for (int peer = 0; peer < size; peer++)
            {
                window.putSignal(source, 0, count, peer, (long)rank * count, rank % window.signals());
            }
            for (int peer = 0; peer < size; peer++)
            {
                window.waitSignal(peer, peer % window.signals(), 1);
                requireFilled(memory.slice((long)peer * count, count), peer);
            }
        }
    }

    /** Each rank gets all ranks' memory. */
    public static void getFromAll(final Communicator communicator, final int count)
    {
        final int size = communicator.size();
        try (DataBuffer memory = filled(communicator, count, communicator.rank());
            DataBuffer target = communicator.allocate(DataType.INT32, (long)size * count);
            Window window = communicator.window(memory))
        {
            final List<Request> requests = new ArrayList<>();
            for (int peer = 0; peer < size; peer++)
            {
                window.get(target, (long)peer * count, count, peer, 0);
                requireFilled(target.slice((long)peer * count, count), peer);
                target.slice((long)peer * count, count).segment().fill((byte)0);
                for (int i = 0; i < 20; i++)
                {
                    final long begin = i * (long)count / 20;
                    requests.add(window.iget(
                        target, (long)peer * count + begin, (i + 1) * (long)count / 20 - begin, peer, begin));
                }
            }
            requests.forEach(Request::await);
            for (int peer = 0; peer < size; peer++)
            {
                requireFilled(target.slice((long)peer * count, count), peer);
            }
        }
    }

    /** Two ranks send data back and forth, different in each round. */
    static void passBackAndForth(final Communicator communicator, final int count, final int rounds)
    {
        final int other = 1 - communicator.rank();
        try (DataBuffer memory = communicator.allocate(DataType.INT32, count);
            DataBuffer source = communicator.allocate(DataType.INT32, count);
            Window window = communicator.window(memory))
        {
            for (int round = 0; round < rounds; round++)
            {
                if (round % 2 == communicator.rank())
                {
                    fill(source, round);
                    window.iputSignal(source, 0, count, other, 0, 0);
                }
                else
                {
                    window.waitSignal(other, 0, 1);
                    requireFilled(memory, round);
                }
            }
        }
    }

    /** Starts many operations before it waits for any of them. */
    static void startMany(final Communicator communicator, final int count)
    {
        final int other = 1 - communicator.rank();
        try (DataBuffer memory = communicator.allocate(DataType.INT32, count);
            DataBuffer source = filled(communicator, count, communicator.rank());
            Window window = communicator.window(memory))
        {
            for (int i = 0; i < count; i++)
            {
                if (i % 3 == 0)
                {
                    window.iputSignal(source, i, 1, other, i, 1);
                }
                else
                {
                    window.iput(source, i, 1, other, i);
                }
            }
            window.isignal(other, 0);
            window.waitSignal(other, 0, 1);
            // The signal arrives after all operations that were started before.
            requireFilled(memory, other);
            assertEquals((count + 2) / 3, window.pendingSignals(other, 1));
            window.flush(other);
        }
    }

    /** Virtual threads put and get, each in its own range, while others wait for their signals. */
    static void callFromManyThreads(final Communicator communicator, final int threads)
    {
        final int part = 100;
        final int other = 1 - communicator.rank();
        try (DataBuffer memory = communicator.allocate(DataType.INT32, (long)threads * part);
            DataBuffer back = communicator.allocate(DataType.INT32, (long)threads * part);
            DataBuffer source = filled(communicator, threads * part, communicator.rank());
            Window window = communicator.window(memory, threads);
            ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor())
        {
            final List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++)
            {
                final int number = i;
                final long begin = (long)i * part;
                futures.add(executor.submit(() ->
                {
                    window.putSignal(source, begin, part, other, begin, number);
                    window.get(back, begin, part, other, begin);
                }));
                futures.add(executor.submit(() -> window.waitSignal(other, number, 1)));
            }
            for (final Future<?> future : futures)
            {
                future.get();
            }
            requireFilled(memory, other);
            requireFilled(back, communicator.rank());
        }
        catch (final InterruptedException | ExecutionException e)
        {
            throw new AssertionError(e);
        }
    }
}
