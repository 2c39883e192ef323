/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.progress.WaitingThread;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class CommunicatorTest
{
    private static final boolean IS_TORTURE = Boolean.getBoolean("tutti.test.torture");
    private static final int CALLS = IS_TORTURE ? 1500 : 500;

    static List<Integer> sizes()
    {
        return IS_TORTURE ? List.of(1, 2, 3, 4, 5, 8) : List.of(1, 2, 3, 5);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void shouldAllreduceEveryTypeAndOperation(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (final DataType type : DataType.values())
                {
                    for (final ReduceOp op : ReduceOp.values())
                    {
                        if (!Reference.isDefined(op, type))
                        {
                            continue;
                        }
                        for (final long count : new long[] {0, 1, size - 1, size, size + 1, 257, 5000})
                        {
                            checkAllreduce(communicator, type, op, count, true, count);
                            checkAllreduce(communicator, type, op, count, false, count + 1);
                        }
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void shouldBroadcastFromEveryRoot(final int size)
    {
        // A broadcast moves bytes: one type per element size suffices.
        final Collection<DataType> types = Stream.of(DataType.values())
            .collect(Collectors.toMap(DataType::size, type -> type, (first, other) -> first)).values();
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (int root = 0; root < size; root++)
                {
                    for (final DataType type : types)
                    {
                        for (final long count : new long[] {0, 1, 63, 4097, 300_000})
                        {
                            checkBroadcast(communicator, type, count, root, count + root);
                        }
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void shouldSeparateConsecutiveCallsInAnyOrder(final int size)
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final Random random = new Random(seed);
                final Random own = new Random(seed + communicator.rank());
                for (int i = 0; i < CALLS; i++)
                {
                    final long count = random.nextInt(8) == 0 ? random.nextInt(100_000) : random.nextInt(100);
                    final int root = random.nextInt(size);
                    final int kind = random.nextInt(4);
                    if (own.nextInt(50) == 0)
                    {
                        Thread.sleep(1);
                    }
                    switch (kind)
                    {
                        case 0 -> checkAllreduce(communicator, DataType.INT64, ReduceOp.SUM, count, true, i);
                        case 1 -> communicator.barrier();
                        default -> checkBroadcast(communicator, DataType.INT32, count, root, i);
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldNotLeaveABarrierBeforeAllRanksHaveEntered(final int size)
    {
        final AtomicInteger entered = new AtomicInteger();
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                for (int round = 1; round <= 500; round++)
                {
                    entered.incrementAndGet();
                    communicator.barrier();
                    assertTrue(entered.get() >= round * size, () -> "left early: " + entered.get());
                }
            });
        }
    }

    @Test
    void shouldReduceArraysAndSegments()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final float[] floats = {rank, 2 * rank, -rank};
                communicator.allreduce(floats, ReduceOp.SUM);
                assertArrayEquals(new float[] {3, 6, -3}, floats);

                final double[] doubles = new double[3_000_000];
                java.util.Arrays.fill(doubles, rank + 0.5);
                final double[] results = new double[doubles.length];
                communicator.allreduce(doubles, results, ReduceOp.AVG);
                assertEquals(1.5, results[0]);
                assertEquals(1.5, results[results.length - 1]);
                assertEquals(rank + 0.5, doubles[1_000_000]);

                final int[] ints = {rank};
                communicator.allreduce(ints, ReduceOp.MAX);
                assertArrayEquals(new int[] {2}, ints);

                final long[] longs = {1L << 40, rank};
                communicator.allreduce(longs, ReduceOp.MIN);
                assertArrayEquals(new long[] {1L << 40, 0}, longs);

                final long[] message = rank == 1 ? new long[] {42, 43} : new long[2];
                communicator.broadcast(message, 1);
                assertArrayEquals(new long[] {42, 43}, message);

                try (Arena arena = Arena.ofConfined())
                {
                    final MemorySegment segment = arena.allocate(40);
                    Reference.set(segment, DataType.INT32, 9, rank);
                    communicator.allreduce(segment, segment, 10, DataType.INT32, ReduceOp.SUM);
                    assertEquals(3, Reference.get(segment, DataType.INT32, 9));
                }
                communicator.allreduce(new float[0], ReduceOp.SUM);
            });
        }
    }

    @Test
    void shouldProduceTheSameBitsOnAllRanks()
    {
        final int size = 5;
        final int count = 200_001;
        final float[][] results = new float[size][];
        try (Ranks ranks = new Ranks(size))
        {
            for (final int length : new int[] {3, 1000, count})
            {
                ranks.run(communicator ->
                {
                    final Random random = new Random(communicator.rank());
                    final float[] values = new float[length];
                    for (int i = 0; i < length; i++)
                    {
                        values[i] = (float)random.nextGaussian();
                    }
                    communicator.allreduce(values, ReduceOp.SUM);
                    results[communicator.rank()] = values;
                });
                for (int rank = 1; rank < size; rank++)
                {
                    assertArrayEquals(results[0], results[rank]);
                }
            }
        }
    }

    @Test
    void shouldNameTheLateRankWhenTheDeadlinePasses()
    {
        final CountDownLatch failed = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                if (communicator.rank() == 1)
                {
                    failed.await();
                    return;
                }
                try
                {
                    communicator.withTimeout(Duration.ofMillis(300)).barrier();
                }
                finally
                {
                    failed.countDown();
                }
            });

            final CollectiveException timeout = (CollectiveException)
                (thrown.get(0) instanceof CollectiveTimeoutException ? thrown.get(0) : thrown.get(2));
            assertInstanceOf(CollectiveTimeoutException.class, timeout);
            assertTrue(timeout.getMessage().contains("rank 1"), timeout::getMessage);
            assertTrue(timeout.getMessage().contains("has not made the call"), timeout::getMessage);
            assertTrue(timeout.getMessage().contains("barrier"), timeout::getMessage);
        }
    }

    @Test
    void shouldFailEveryLaterCallAfterAFailure()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    assertThrows(CollectiveException.class,
                        () -> communicator.withTimeout(Duration.ofMillis(50)).barrier());
                    final CollectiveException again =
                        assertThrows(CollectiveException.class, communicator::barrier);
                    assertTrue(again.getMessage().contains("has failed"), again::getMessage);
                }
            });
        }
    }

    @Test
    void shouldThrowWhenArgumentsAreInvalidAndStayUsable()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer floats = communicator.allocate(DataType.FLOAT32, 4);
                final DataBuffer ints = communicator.allocate(DataType.INT32, 4);
                final DataBuffer longer = communicator.allocate(DataType.FLOAT32, 8);
                final MemorySegment segment = MemorySegment.ofArray(new int[4]);

                refused("negative", "count=-1", () -> communicator.allocate(DataType.INT64, -1));
                refused("types", "FLOAT32", () -> communicator.allreduce(floats, ints, ReduceOp.SUM));
                refused("counts", "8", () -> communicator.allreduce(floats, longer, ReduceOp.SUM));
                refused("overlap", "overlap",
                    () -> communicator.allreduce(longer.slice(0, 5), longer.slice(3, 5), ReduceOp.SUM));
                refused("short", "too short",
                    () -> communicator.allreduce(segment, segment, 5, DataType.INT32, ReduceOp.SUM));
                refused("count", "count=-2",
                    () -> communicator.broadcast(segment, -2, DataType.INT32, 0));
                refused("root", "root=2", () -> communicator.broadcast(floats, 2));
                refused("arrays", "3",
                    () -> communicator.allreduce(new float[2], new float[3], ReduceOp.SUM));
                assertThrows(IndexOutOfBoundsException.class, () -> longer.slice(5, 4));
                ints.close();
                assertThrows(IllegalStateException.class, () -> communicator.broadcast(ints, 0));

                communicator.barrier();
            });
        }
    }

    @Test
    void shouldThrowWhenTheCommunicatorIsClosed()
    {
        final Communicator communicator = Communicators.inProcess(1).get(0);

        communicator.close();
        communicator.close();

        final IllegalStateException thrown = assertThrows(IllegalStateException.class, communicator::barrier);
        assertTrue(thrown.getMessage().contains("closed"), thrown::getMessage);
    }

    @Test
    void shouldThrowWhenASecondThreadCalls() throws Exception
    {
        try (Ranks ranks = new Ranks(2))
        {
            final AtomicReference<Throwable> second = new AtomicReference<>();
            final CountDownLatch tried = new CountDownLatch(1);
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    tried.await();
                    communicator.barrier();
                    return;
                }
                final Thread caller = Thread.currentThread();
                final Thread intruder = new Thread(() ->
                {
                    try
                    {
                        WaitingThread.await(caller, "barrier");
                        communicator.barrier();
                    }
                    catch (final InterruptedException | RuntimeException e)
                    {
                        second.set(e);
                    }
                    finally
                    {
                        tried.countDown();
                    }
                });
                intruder.start();
                communicator.barrier();
                intruder.join();
            });

            assertInstanceOf(IllegalStateException.class, second.get());
        }
    }

    private static void refused(final String what, final String text, final Runnable call)
    {
        final IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, call::run, what);
        assertTrue(thrown.getMessage().contains(text), thrown::getMessage);
    }

    static void checkAllreduce(
        final Communicator communicator, final DataType type, final ReduceOp op, final long count,
        final boolean inPlace, final long salt)
    {
        final int rank = communicator.rank();
        final DataBuffer input = communicator.allocate(type, count);
        final DataBuffer output = inPlace ? input : communicator.allocate(type, count);
        for (long i = 0; i < count; i++)
        {
            Reference.set(input.segment(), type, i, Reference.input(type, op, rank, i, salt));
        }

        communicator.allreduce(input, output, op);

        for (long i = 0; i < count; i++)
        {
            final double expected = Reference.expected(type, op, communicator.size(), i, salt);
            if (Reference.get(output.segment(), type, i) != expected)
            {
                assertEquals(expected, Reference.get(output.segment(), type, i),
                    "rank " + rank + ", " + type + " " + op + ", element " + i + " of " + count);
            }
            if (!inPlace && Reference.get(input.segment(), type, i) != Reference.input(type, op, rank, i, salt))
            {
                throw new AssertionError("the input was written at " + i);
            }
        }
        input.close();
        output.close();
    }

    static void checkBroadcast(
        final Communicator communicator, final DataType type, final long count, final int root, final long salt)
    {
        final DataBuffer buffer = communicator.allocate(type, count);
        for (long i = 0; i < count; i++)
        {
            Reference.set(buffer.segment(), type, i,
                communicator.rank() == root ? Reference.input(type, ReduceOp.SUM, root, i, salt) : -1);
        }

        communicator.broadcast(buffer, root);

        for (long i = 0; i < count; i++)
        {
            final double expected = Reference.input(type, ReduceOp.SUM, root, i, salt);
            if (Reference.get(buffer.segment(), type, i) != expected)
            {
                assertEquals(expected, Reference.get(buffer.segment(), type, i),
                    "rank " + communicator.rank() + ", root " + root + ", element " + i + " of " + count);
            }
        }
        buffer.close();
    }
}
