/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import com.sun.management.ThreadMXBean;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tutti.collectives.LocalJob;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class NetworkMemoryTest
{
    private static final int RANKS = 2;
    private static final int WARM_UP = 20_000;
    private static final int WINDOWS = 200;
    private static final int ROUNDS = 20;
    /** The blocks of each call have a place of their own in the cache of recent blocks, which has 64. */
    private static final int BLOCK = 6_400;
    private static final long PAGE_BYTES = 4_096;

    /** Reducer that keeps the result. */
    static void keep(final long from, final long into, final int elementBytes, final int bytes)
    {
    }

    private static MemorySegment reducer(final Arena arena) throws ReflectiveOperationException
    {
        final MemorySegment function = Linker.nativeLinker().upcallStub(
            MethodHandles.lookup().findStatic(NetworkMemoryTest.class, "keep",
                MethodType.methodType(void.class, long.class, long.class, int.class, int.class)),
            FunctionDescriptor.ofVoid(
                ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), arena);
        final MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
        pointer.set(ValueLayout.ADDRESS, 0, function);
        return pointer;
    }

    @Test
    void shouldAllocateNothingPerExchange()
    {
        LocalJob.run(RANKS, communicator ->
        {
            try (Arena arena = Arena.ofConfined();
                NetworkFunctions functions =
                    new NetworkFunctions(communicator, LightGbmLibrary.load(communicator)))
            {
                final long pointer = reducer(arena).address();
                final long starts = arena.allocateFrom(ValueLayout.JAVA_INT, 0, BLOCK).address();
                final long lengths = arena.allocateFrom(ValueLayout.JAVA_INT, BLOCK, BLOCK).address();
                final long input = arena.allocate(RANKS * BLOCK, Long.BYTES).address();
                final long output = arena.allocate(RANKS * BLOCK, Long.BYTES).address();
                final Runnable exchanges = () ->
                {
                    functions.reduceScatter(
                        input, RANKS * BLOCK, Long.BYTES, starts, lengths, output, pointer);
                    functions.allgather(output, starts, lengths, output, RANKS * BLOCK);
                };
                repeat(exchanges, WARM_UP);
                assertEquals(0, leastAllocated(() -> repeat(exchanges, ROUNDS)));
                functions.throwFailure(null);
            }
        });
    }

    private static void repeat(final Runnable call, final int rounds)
    {
        for (int i = 0; i < rounds; i++)
        {
            call.run();
        }
    }

    /** Least bytes of several windows: compilation allocates in some of them. */
    private static long leastAllocated(final Runnable calls)
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int window = 0; window < WINDOWS; window++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            calls.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }

    @Test
    void shouldReuseRegisteredMemory()
    {
        LocalJob.run(RANKS, communicator ->
        {
            final AtomicInteger allocations = new AtomicInteger();
            try (LightGbmNetwork network = TuttiLightGbm.network(InterceptedCommunicator.of(communicator,
                method -> allocations.addAndGet("allocate".equals(method) || "register".equals(method) ? 1 : 0))))
            {
                final Shard shard = new Shard(communicator.rank());
                final String parameters = network.parameters(Shard.PARAMETERS);
                shard.train(network, parameters, 2);
                final int first = allocations.get();
                assertTrue(first > 0 && first < 8, () -> first + " allocations");
                for (int i = 0; i < 5; i++)
                {
                    shard.train(network, parameters, 2);
                }
                assertEquals(first, allocations.get());
            }
        });
    }

    /** Memory of LightGBM and of the network: each training has 3 MB of histograms and bins. */
    @Test
    @Tag("torture")
    void shouldKeepProcessAtItsSizeWhenTrainingManyTimes() throws IOException
    {
        final int jobs = 40;
        trainings(jobs);
        final long before = residentBytes();
        trainings(jobs);
        final long grown = residentBytes() - before;
        System.out.println("resident memory grew by " + grown + " bytes in " + jobs + " jobs");
        assertTrue(grown < 64 << 20, () -> grown + " bytes in " + jobs + " jobs");
    }

    private static void trainings(final int jobs)
    {
        for (int job = 0; job < jobs; job++)
        {
            LocalJob.run(RANKS, communicator ->
            {
                final Shard shard = new Shard(communicator.rank(), 200, 500);
                for (int i = 0; i < 2; i++)
                {
                    try (LightGbmNetwork network = TuttiLightGbm.network(communicator))
                    {
                        shard.train(network, network.parameters(Shard.PARAMETERS), 3);
                    }
                }
            });
        }
    }

    private static long residentBytes() throws IOException
    {
        System.gc();
        return Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ", -1)[1]) * PAGE_BYTES;
    }
}
