/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.util.Backoff;

import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Short calls in which a rank only sends do not wait for late ranks. */
class RunAheadTest
{
    /** Maximum number of elements of an eager message. */
    private static final int MOST = ReceiveFifo.MAX_PAYLOAD / Integer.BYTES;
    /** Number of calls with that many elements that fill a FIFO. */
    private static final int AHEAD = ReceiveFifo.EAGER_LENGTH / ReceiveFifo.MAX_PAYLOAD - 1;
    /** More calls than may be in progress at once. */
    private static final int BEFORE = 10;
    /** Counts from one line of the FIFO to more than a message. */
    private static final int[] COUNTS = {1, 10, 11, 64, 257, MOST, MOST + 1, 2000};
    private static final int CALLS = 150;
    private static final int SOME_CALLS = Boolean.getBoolean("tutti.test.torture") ? CALLS : 50;
    /** Slightly fewer than the number of lines of a FIFO. */
    private static final int ROUNDS = 200;

    @Test
    void shouldNotWaitForLateRanks()
    {
        final CountDownLatch isAhead = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, MOST);
                communicator.broadcast(buffer, 0);
                if (communicator.rank() == 1)
                {
                    isAhead.await();
                }
                for (int call = 0; call < AHEAD; call++)
                {
                    fill(buffer, communicator.rank() == 0 ? call : -1);
                    communicator.broadcast(buffer, 0);
                    assertFilled(buffer, call);
                }
                isAhead.countDown();
            });
        }
    }

    /** No element was received, and all ranks have made the same number of calls. */
    @Test
    void shouldReportMismatchOnCloseWhenPeerBroadcastElements()
    {
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 2);
                communicator.broadcast(buffer, 0);
                communicator.broadcast(communicator.rank() == 0 ? buffer : buffer.slice(0, 0), 0);
            });

            final String message = assertInstanceOf(
                CollectiveException.class, ranks.outcomes(Communicator::close).get(1)).getMessage();
            // Rank 0 may have exited, so that its call is unknown.
            assertTrue(message.contains("broadcast(0 × int32, root 0)") && message.contains("#1") &&
                message.contains("rank 0 ("), message);
        }
    }

    /** The FIFO has space for the close marker, or is full. */
    @ParameterizedTest
    @ValueSource(ints = {1, MOST})
    void shouldFailWhenCallingAfterARankThatWasAheadClosed(final int count)
    {
        final CountDownLatch isIdle = new CountDownLatch(1);
        try (Ranks ranks = Ranks.of(List.of(Map.of(), Map.of())))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, count);
                for (int call = 0; call < BEFORE; call++)
                {
                    // So many that later messages carry their data, as nothing shows that rank 1 is ready for them.
                    communicator.broadcast(buffer, 0);
                }
                if (communicator.rank() == 0)
                {
                    // In a call, rank 1 would also take messages of later calls.
                    assertTrue(isIdle.await(60, TimeUnit.SECONDS));
                }
                isIdle.countDown();
                while (communicator.rank() == 1 && ranks.team(0).memory().control().closed() < 0)
                {
                    Backoff.sleep(100_000);
                }
                for (int call = 0; call < AHEAD + communicator.rank(); call++)
                {
                    fill(buffer, communicator.rank() == 0 ? call : -1);
                    communicator.broadcast(buffer, 0);
                    assertFilled(buffer, call);
                }
                assertTrue(
                    count == 1 || communicator.rank() == 1 || ranks.team(0).connections()[1].endpoint().isFull());
                communicator.close();
            });

            final String message =
                assertInstanceOf(CollectiveException.class, thrown.get(1), thrown::toString).getMessage();
            assertTrue(message.contains("rank 0") && message.contains("closed its communicator"), message);
            assertTrue(message.contains("#" + (BEFORE + AHEAD)), message);
        }
    }

    /**
     * Rank 0 sends rank 3 only a READY, since the segments of the ring are longer than an eager message; it arrives
     * when rank 3 is about 400 rounds behind.
     */
    @Test
    void shouldNotReportMismatchWhenARankIsFarAhead()
    {
        final CountDownLatch isAhead = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(4, Map.of("TUTTI_ALGORITHM", "allgather:0-:ring")))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                final DataBuffer part = communicator.allocate(DataType.INT32, MOST + 1);
                final DataBuffer all = communicator.allocate(DataType.INT32, 4 * (MOST + 1));
                communicator.allgather(part, all);
                communicator.broadcast(buffer, 0);
                if (rank == 3)
                {
                    isAhead.await();
                    Backoff.sleep(100_000_000);
                }
                for (int call = 0; call < 2 * ROUNDS; call++)
                {
                    if (rank == 0 && call == 2 * ROUNDS - 100)
                    {
                        isAhead.countDown();
                    }
                    fill(buffer, rank == 0 ? call : -1);
                    communicator.broadcast(buffer, 0);
                    assertFilled(buffer, call);
                }
                fill(part, rank);
                communicator.allgather(part, all);
                for (int i = 0; i < 4; i++)
                {
                    assertFilled(all.slice((long)i * part.count(), part.count()), i);
                }
            });
        }
    }

    /** The sender of short blocks known only to two ranks continues while the FIFO has space. */
    @Test
    void shouldNotWaitForLateRanksWithShortPairwiseBlocks()
    {
        final CountDownLatch isAhead = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final int rank = communicator.rank();
                final DataBuffer part = communicator.allocate(DataType.INT32, MOST);
                final DataBuffer all = communicator.allocate(DataType.INT32, 2 * MOST);
                communicator.barrier();
                if (rank == 1)
                {
                    isAhead.await();
                }
                for (int call = 0; call < AHEAD; call++)
                {
                    fill(part, rank == 0 ? call : -1);
                    fill(all, rank == 0 ? call : -1);
                    if (call % 2 == 0)
                    {
                        communicator.gatherv(part, all, new long[] {MOST, MOST}, 1);
                    }
                    else
                    {
                        communicator.scatterv(all, new long[] {MOST, MOST}, part, 0);
                    }
                    assertFilled(rank == 1 && call % 2 == 0 ? all.slice(0, MOST) : part, call);
                }
                isAhead.countDown();
            });
        }
    }

    @Test
    void shouldComputeCorrectlyWhenRanksAreFarAhead()
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        for (int size = 2; size <= 5; size++)
        {
            try (Ranks ranks = new Ranks(size))
            {
                ranks.run(communicator -> callAtRandom(communicator, CALLS, new Random(seed), new Random()));
            }
        }
    }

    /** Calls need many segments then. */
    @Test
    void shouldComputeCorrectlyWithLittleScratch()
    {
        final long seed = System.nanoTime();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(20, Map.of("TUTTI_SCRATCH", "64K")))
        {
            ranks.run(communicator -> callAtRandom(communicator, SOME_CALLS, new Random(seed), new Random()));
        }
    }

    private static void callAtRandom(
        final Communicator communicator, final int number, final Random calls, final Random pauses)
    {
        final int size = communicator.size();
        final int rank = communicator.rank();
        for (int call = 0; call < number; call++)
        {
            final int count = COUNTS[calls.nextInt(COUNTS.length)];
            final int root = calls.nextInt(size);
            final int kind = calls.nextInt(9);
            if (pauses.nextInt(20) == 0)
            {
                Backoff.sleep(200_000);
            }
            if (kind >= 6)
            {
                callWithCounts(communicator, kind, root, call, calls);
                continue;
            }
            try (DataBuffer part = communicator.allocate(DataType.INT32, count);
                DataBuffer whole = communicator.allocate(DataType.INT32, (long)count * size))
            {
                fill(part, call + rank);
                fill(whole, call);
                final int sum = size * call + size * (size - 1) / 2;
                switch (kind)
                {
                    case 0 ->
                    {
                        communicator.broadcast(part, root);
                        assertFilled(part, call + root);
                    }
                    case 1 ->
                    {
                        communicator.reduce(part, part, ReduceOp.SUM, root);
                        assertFilled(part, rank == root ? sum : call + rank);
                    }
                    case 2 ->
                    {
                        communicator.gather(part, whole, root);
                        for (int i = 0; rank == root && i < count * size; i++)
                        {
                            assertEquals(call + i / count, at(whole, i));
                        }
                    }
                    case 3 ->
                    {
                        communicator.scatter(whole, part, root);
                        assertFilled(part, call);
                    }
                    case 4 -> communicator.barrier();
                    default ->
                    {
                        communicator.allreduce(part, ReduceOp.SUM);
                        assertFilled(part, sum);
                    }
                }
            }
        }
    }

    /** Makes calls with a separate count for each pair of ranks. */
    private static void callWithCounts(
        final Communicator communicator, final int kind, final int root, final int call, final Random calls)
    {
        final int size = communicator.size();
        final int rank = communicator.rank();
        final long[][] counts = new long[size][size];
        for (final long[] row : counts)
        {
            Arrays.setAll(row, (column) -> calls.nextInt(4) == 0 ? 0 : COUNTS[calls.nextInt(COUNTS.length)]);
        }
        final long[] sent = counts[rank];
        final long[] received = new long[size];
        Arrays.setAll(received, (peer) -> counts[peer][kind == 6 ? root : rank]);
        try (DataBuffer input = communicator.allocate(DataType.INT32, LongStream.of(sent).sum());
            DataBuffer output = communicator.allocate(DataType.INT32, LongStream.of(received).sum()))
        {
            fill(input, call + rank);
            switch (kind)
            {
                case 6 ->
                {
                    communicator.gatherv(input.slice(0, sent[root]), output, received, root);
                    if (rank == root)
                    {
                        assertBlocks(output, received, call);
                    }
                }
                case 7 ->
                {
                    final DataBuffer part = output.slice(0, received[root]);
                    communicator.scatterv(input, sent, part, root);
                    assertFilled(part, call + root);
                }
                default ->
                {
                    communicator.alltoallv(input, sent, output, received);
                    assertBlocks(output, received, call);
                }
            }
        }
    }

    private static void assertBlocks(final DataBuffer output, final long[] counts, final int call)
    {
        long offset = 0;
        for (int peer = 0; peer < counts.length; peer++)
        {
            assertFilled(output.slice(offset, counts[peer]), call + peer);
            offset += counts[peer];
        }
    }

    private static void fill(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, value);
        }
    }

    private static void assertFilled(final DataBuffer buffer, final int value)
    {
        for (long i = 0; i < buffer.count(); i++)
        {
            assertEquals(value, at(buffer, i));
        }
    }

    private static int at(final DataBuffer buffer, final long index)
    {
        return buffer.segment().getAtIndex(ValueLayout.JAVA_INT, index);
    }
}
