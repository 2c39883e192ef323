/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is sent arrives, in order, whatever ranks call besides. */
@Timeout(60)
class PointToPointTest
{
    private static final int[] COUNTS = {0, 1, 7, 4_096, 4_097, 100_003, (1 << 20) + 1};

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldPassAroundARing(final int size)
    {
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final int left = (rank + size - 1) % size;
                for (final int count : COUNTS)
                {
                    final DataBuffer input = filled(communicator, count, rank);
                    final DataBuffer output = communicator.allocate(DataType.INT32, count);
                    final Request received = communicator.irecv(output, left);
                    Request.awaitAll(received, communicator.isend(input, (rank + 1) % size));
                    requireFilled(output, left);
                    output.segment().fill((byte)0);
                    communicator.sendrecv(input, (rank + 1) % size, output, left);
                    requireFilled(output, left);
                    input.close();
                    output.close();
                }
            });
        }
    }

    /** Also where the other end receives by other calls, and after other sends in between. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4_097, 100_003})
    void shouldSendAndReceiveAgainAndAgain(final int count)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int other = 1 - communicator.rank();
                final DataBuffer input = communicator.allocate(DataType.INT32, count);
                final DataBuffer output = communicator.allocate(DataType.INT32, count);
                try (PersistentRequest sending = communicator.sendInit(input, other);
                    PersistentRequest receiving = communicator.recvInit(output, other))
                {
                    for (int round = 0; round < 20; round++)
                    {
                        fill(input, 100 * round + communicator.rank());
                        sending.start();
                        if (round % 3 == 0)
                        {
                            communicator.recv(output, other);
                        }
                        else
                        {
                            receiving.start();
                            receiving.await();
                        }
                        sending.await();
                        requireFilled(output, 100 * round + other);
                    }
                    communicator.sendrecv(input, other, output, other);
                    assertThrows(IllegalStateException.class, input::close);
                }
                input.close();
            });
        }
    }

    @Test
    void shouldExchangeDifferentLengths()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                for (int i = 0; i < COUNTS.length; i++)
                {
                    final int other = COUNTS[COUNTS.length - 1 - i];
                    final DataBuffer input = filled(communicator, rank == 0 ? COUNTS[i] : other, rank);
                    final DataBuffer output =
                        communicator.allocate(DataType.INT32, rank == 0 ? other : COUNTS[i]);
                    communicator.sendrecv(input, 1 - rank, output, 1 - rank);
                    requireFilled(output, 1 - rank);
                }
            });
        }
    }

    /** The one who does both at once sends pieces that the other one takes only when it has sent all of its own. */
    @Test
    void shouldExchangePiecesWithARankThatSendsAllBeforeItReceives()
    {
        final int count = (int)(Staging.MAX_LENGTH / Integer.BYTES * 5 / 2);
        try (Ranks ranks = new Ranks(2, Map.of("TUTTI_TIMEOUT", "10s")))
        {
            ranks.run(communicator ->
            {
                final int[] input = new int[count];
                final int[] output = new int[count];
                Arrays.setAll(input, i -> WindowCases.value(communicator.rank(), i));
                if (communicator.rank() == 0)
                {
                    communicator.sendrecv(input, 1, output, 1);
                }
                else
                {
                    communicator.send(input, 0);
                    communicator.recv(output, 0);
                }
                for (int i = 0; i < count; i++)
                {
                    assertEquals(WindowCases.value(1 - communicator.rank(), i), output[i]);
                }
            });
        }
    }

    /** As many sends of random lengths from each to each, begun and awaited in any order, with collectives between. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void shouldKeepTheOrderOfEachPairWhateverElseIsCalled(final int size)
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator -> callAtRandom(communicator, seed));
        }
    }

    static void callAtRandom(final Communicator communicator, final long seed)
    {
        final int rank = communicator.rank();
        final int rounds = 12;
        final Random order = new Random(seed + rank);
        final List<Integer> calls = new ArrayList<>();
        for (int peer = 0; peer < communicator.size(); peer++)
        {
            calls.addAll(Collections.nCopies(peer == rank ? rounds : 2 * rounds, peer));
        }
        Collections.shuffle(calls, order);
        final int[] sent = new int[communicator.size()];
        final int[] received = new int[communicator.size()];
        final List<Request> requests = new ArrayList<>();
        final List<Runnable> checks = new ArrayList<>();
        int collectives = 0;
        for (final int peer : calls)
        {
            if (peer == rank)
            {
                final DataBuffer sum = communicator.allocate(DataType.INT32, 1);
                sum.segment().set(JAVA_INT, 0, rank);
                if (collectives++ % 2 == 0)
                {
                    requests.add(communicator.iallreduce(sum, ReduceOp.SUM));
                }
                else
                {
                    communicator.allreduce(sum, ReduceOp.SUM);
                }
                checks.add(() -> assertEquals(
                    communicator.size() * (communicator.size() - 1) / 2, sum.segment().get(JAVA_INT, 0)));
            }
            else if (received[peer] == rounds || (sent[peer] < rounds && order.nextBoolean()))
            {
                final int number = sent[peer]++;
                requests.add(communicator.isend(filled(
                    communicator, count(seed, rank, peer, number), number + 100 * rank), peer));
            }
            else
            {
                final int number = received[peer]++;
                final DataBuffer output =
                    communicator.allocate(DataType.INT32, count(seed, peer, rank, number));
                requests.add(communicator.irecv(output, peer));
                checks.add(() -> requireFilled(output, number + 100 * peer));
            }
        }
        Collections.shuffle(requests, order);
        requests.forEach(Request::await);
        checks.forEach(Runnable::run);
    }

    private static int count(final long seed, final int from, final int to, final int number)
    {
        final Random random = new Random(seed * 31 + from * 1_000L + to * 100L + number);
        return random.nextInt(1 << random.nextInt(18));
    }

    @Test
    void shouldGoOnInEveryOtherCallThatWaits()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final boolean first = communicator.rank() == 0;
                final DataBuffer buffer = filled(communicator, 100_000, first ? 1 : 2);
                final DataBuffer other = filled(communicator, 100_000, 3);

                final Request sent = first ? communicator.isend(buffer, 1) : null;
                if (!first)
                {
                    communicator.recv(buffer, 0);
                }
                communicator.allreduce(other, ReduceOp.MAX);
                requireFilled(buffer, 1);
                requireFilled(other, 3);
                if (first)
                {
                    sent.await();
                }

                final Request reduced = first ? communicator.iallreduce(other, ReduceOp.MIN) : null;
                if (first)
                {
                    communicator.recv(buffer, 1);
                    reduced.await();
                }
                else
                {
                    communicator.allreduce(other, ReduceOp.MIN);
                    communicator.send(buffer, 0);
                }
                requireFilled(buffer, 1);

                final Request again = first ? communicator.isend(other, 1) : null;
                if (!first)
                {
                    communicator.recv(buffer, 0);
                    requireFilled(buffer, 3);
                }
                communicator.dup().close();
                if (first)
                {
                    again.await();
                }
            });
        }
    }

    @Test
    void shouldBeginAnExchangeBeforeWhatWasStartedIsDone()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final int left = (rank + 2) % 3;
                final DataBuffer first = communicator.allocate(DataType.INT32, 50_000);
                final DataBuffer second = communicator.allocate(DataType.INT32, 50_000);
                final Request received = communicator.irecv(first, left);
                // The left one's first send is what it sends here: its second comes into the second buffer.
                final Request sent = rank == 0 ? communicator.isend(filled(communicator, 50_000, 0), 1) : null;
                communicator.sendrecv(
                    filled(communicator, 50_000, rank + 10), (rank + 1) % 3, second, left);
                if (rank != 0)
                {
                    communicator.send(filled(communicator, 50_000, rank + 20), (rank + 1) % 3);
                }
                received.await();
                requireFilled(first, left == 0 ? 0 : left + 10);
                requireFilled(second, left == 0 ? 10 : left + 20);
                if (sent != null)
                {
                    sent.await();
                }
            });
        }
    }

    /** Lengths that take another number of pieces on the way there than back, and other forms at the other end. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 5", "5, 0", "1000, 1000", "5000000, 3", "2097152, 4194305"})
    void shouldExchangeArraysOfDifferentLengths(final int there, final int back)
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final boolean isFirst = communicator.rank() == 0;
                final int other = 1 - communicator.rank();
                final int[] input = new int[isFirst ? there : back];
                final int[] output = new int[isFirst ? back : there];
                Arrays.setAll(input, i -> i * 31 + communicator.rank());
                communicator.sendrecv(input, other, output, other);
                requireAll(output, other);
                Arrays.fill(output, -1);
                final Request pending = isFirst ? communicator.isend(filled(communicator, 3, 5), 1) : null;
                if (isFirst)
                {
                    communicator.sendrecv(input, other, output, other);
                    pending.await();
                }
                else
                {
                    communicator.recv(new int[3], 0);
                    final Thread sender = Thread.ofPlatform().start(() -> communicator.send(input, 0));
                    communicator.recv(output, 0);
                    sender.join();
                }
                requireAll(output, other);
                assertThrows(IllegalArgumentException.class, () -> communicator.sendrecv(
                    MemorySegment.ofArray(new int[4]), 5, other, MemorySegment.ofArray(output), 0, other,
                    DataType.INT32));
            });
        }
    }

    private static void requireAll(final int[] output, final int rank)
    {
        final int[] expected = new int[output.length];
        Arrays.setAll(expected, i -> i * 31 + rank);
        assertArrayEquals(expected, output);
    }

    @Test
    void shouldSendArraysAndReceiveRegisteredMemory()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final float[] floats = {1, 2, 3};
                final double[] doubles = {4, 5};
                final long[] longs = {6};
                final int[] ints = new int[5_000_000];
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 3);
                if (communicator.rank() == 0)
                {
                    ints[ints.length - 1] = 7;
                    communicator.send(floats, 1);
                    communicator.send(doubles, 1);
                    communicator.send(longs, 1);
                    communicator.send(ints, 1);
                    communicator.send(new int[] {8, 9, 10}, 1);
                    return;
                }
                final float[] gotFloats = new float[3];
                final double[] gotDoubles = new double[2];
                final long[] gotLongs = new long[1];
                communicator.recv(gotFloats, 0);
                communicator.recv(gotDoubles, 0);
                communicator.recv(gotLongs, 0);
                communicator.recv(ints, 0);
                communicator.recv(buffer, 0);
                assertArrayEquals(floats, gotFloats);
                assertArrayEquals(doubles, gotDoubles);
                assertArrayEquals(longs, gotLongs);
                assertEquals(7, ints[ints.length - 1]);
                assertArrayEquals(new int[] {8, 9, 10}, buffer.segment().toArray(JAVA_INT));
            });
        }
    }

    @Test
    void shouldServeThreadsThatSendAndReceiveAtOnce()
    {
        try (Ranks ranks = new Ranks(3))
        {
            ranks.run(communicator ->
            {
                final List<Future<?>> calls = new ArrayList<>();
                try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor())
                {
                    for (int i = 0; i < communicator.size(); i++)
                    {
                        final int peer = i;
                        if (peer != communicator.rank())
                        {
                            calls.add(threads.submit(() -> repeat(50, number ->
                                communicator.send(new int[] {number}, peer))));
                            calls.add(threads.submit(() -> repeat(50, number ->
                            {
                                final int[] got = {-1};
                                communicator.recv(got, peer);
                                assertEquals(number, got[0]);
                            })));
                        }
                    }
                    repeat(50, number -> communicator.barrier());
                }
                for (final Future<?> call : calls)
                {
                    call.get();
                }
            });
        }
    }

    @Test
    void shouldWatchTheFuturesOfAllLinksByOneThread()
    {
        final CountDownLatch counted = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(4))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() > 0)
                {
                    assertTrue(counted.await(60, TimeUnit.SECONDS));
                    communicator.send(filled(communicator, 7, communicator.rank()), 0);
                    return;
                }
                final List<DataBuffer> outputs = new ArrayList<>();
                final List<Future<Void>> futures = new ArrayList<>();
                for (int peer = 1; peer < communicator.size(); peer++)
                {
                    outputs.add(communicator.allocate(DataType.INT32, 7));
                    futures.add(communicator.irecv(outputs.getLast(), peer).toFuture());
                }
                // One of a communicator that was closed before may be about to end.
                for (int attempt = 0; watchers() != 1 && attempt < 1_000; attempt++)
                {
                    Thread.sleep(10);
                }
                final long watchers = watchers();
                counted.countDown();
                assertEquals(1, watchers);
                for (int i = 0; i < futures.size(); i++)
                {
                    futures.get(i).get(60, TimeUnit.SECONDS);
                    requireFilled(outputs.get(i), i + 1);
                }
            });
        }
    }

    private static long watchers()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("tutti-progress-0")).count();
    }

    private static void repeat(final int times, final Consumer<Integer> call)
    {
        for (int i = 0; i < times; i++)
        {
            call.accept(i);
        }
    }

    @Test
    void shouldNumberRanksAsTheCommunicatorDoes()
    {
        try (Ranks ranks = new Ranks(5))
        {
            ranks.run(communicator ->
            {
                final Communicator half =
                    communicator.split(communicator.rank() % 2, communicator.size() - communicator.rank());
                final Communicator twin = half.dup();
                if (half.rank() == 0)
                {
                    half.send(new int[] {1}, 1);
                    twin.send(new int[] {2}, 1);
                }
                else if (half.rank() == 1)
                {
                    final int[] got = new int[1];
                    half.recv(got, 0);
                    assertEquals(1, got[0]);
                    twin.recv(got, 0);
                    assertEquals(2, got[0]);
                }
                half.close();
                twin.close();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, must be from 0 to 1", "2, must be from 0 to 1", "0, that is this rank"})
    void shouldRefuseWhatIsNoOtherRank(final int peer, final String expected)
    {
        try (Ranks ranks = new Ranks(2))
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer one = communicator.allocate(DataType.INT32, 1);
            final DataBuffer two = communicator.allocate(DataType.INT32, 1);
            for (final Runnable call : List.<Runnable>of(
                () -> communicator.send(one, peer),
                () -> communicator.recv(one, peer),
                () -> communicator.isend(one, peer),
                () -> communicator.irecv(one, peer),
                () -> communicator.sendrecv(one, peer, two, 1),
                () -> communicator.sendrecv(one, 1, two, peer),
                () -> communicator.send(new int[1], peer),
                () -> communicator.recv(new int[1], peer)))
            {
                final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
                assertTrue(message.contains("=" + peer + ": " + expected), message);
            }
            assertThrows(IllegalArgumentException.class, () -> communicator.sendrecv(one, 1, one, 1));
        }
    }

    static DataBuffer filled(final Communicator communicator, final long count, final int value)
    {
        final DataBuffer buffer = communicator.allocate(DataType.INT32, count);
        fill(buffer, value);
        return buffer;
    }

    private static void fill(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            buffer.segment().setAtIndex(JAVA_INT, i, (int)i * 31 + value);
        }
    }

    private static void requireFilled(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            if (buffer.segment().getAtIndex(JAVA_INT, i) != (int)i * 31 + value)
            {
                assertEquals((int)i * 31 + value, buffer.segment().getAtIndex(JAVA_INT, i), "element " + i);
            }
        }
    }
}
