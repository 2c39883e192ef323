/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sends and receives make progress, in order, regardless of other calls and threads. */
@Timeout(60)
class PointToPointProgressTest
{
    /** Sends of random lengths between all pairs, begun and awaited in any order, with collectives in between. */
    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void shouldKeepTheOrderOfEachPairAmongOtherCalls(final int size)
    {
        final long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size))
        {
            ranks.run(communicator -> PointToPointCases.callAtRandom(communicator, seed));
        }
    }

    @Test
    void shouldProgressInEveryOtherCallThatWaits()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final boolean first = communicator.rank() == 0;
                final DataBuffer buffer = PointToPointCases.filled(communicator, 100_000, first ? 1 : 2);
                final DataBuffer other = PointToPointCases.filled(communicator, 100_000, 3);

                final Request sent = first ? communicator.isend(buffer, 1) : null;
                if (!first)
                {
                    communicator.recv(buffer, 0);
                }
                communicator.allreduce(other, ReduceOp.MAX);
                PointToPointCases.requireFilled(buffer, 1);
                PointToPointCases.requireFilled(other, 3);
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
                PointToPointCases.requireFilled(buffer, 1);

                final Request again = first ? communicator.isend(other, 1) : null;
                if (!first)
                {
                    communicator.recv(buffer, 0);
                    PointToPointCases.requireFilled(buffer, 3);
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
    void shouldBeginASendrecvBeforeEarlierRequestsAreDone()
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
                // The left neighbour's first send is what this rank sends; its second arrives in the second buffer.
                final Request sent = rank == 0 ?
                    communicator.isend(PointToPointCases.filled(communicator, 50_000, 0), 1) : null;
                communicator.sendrecv(
                    PointToPointCases.filled(communicator, 50_000, rank + 10), (rank + 1) % 3, second, left);
                if (rank != 0)
                {
                    communicator.send(PointToPointCases.filled(communicator, 50_000, rank + 20), (rank + 1) % 3);
                }
                received.await();
                PointToPointCases.requireFilled(first, left == 0 ? 0 : left + 10);
                PointToPointCases.requireFilled(second, left == 0 ? 10 : left + 20);
                if (sent != null)
                {
                    sent.await();
                }
            });
        }
    }

    @Test
    void shouldServeThreadsThatSendAndReceiveConcurrently()
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

    private static void repeat(final int times, final Consumer<Integer> call)
    {
        for (int i = 0; i < times; i++)
        {
            call.accept(i);
        }
    }

    @Test
    void shouldProgressTheFuturesOfAllChannelsInOneThread()
    {
        final CountDownLatch counted = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(4))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() > 0)
                {
                    assertTrue(counted.await(60, TimeUnit.SECONDS));
                    communicator.send(PointToPointCases.filled(communicator, 7, communicator.rank()), 0);
                    return;
                }
                final List<DataBuffer> outputs = new ArrayList<>();
                final List<Future<Void>> futures = new ArrayList<>();
                for (int peer = 1; peer < communicator.size(); peer++)
                {
                    outputs.add(communicator.allocate(DataType.INT32, 7));
                    futures.add(communicator.irecv(outputs.getLast(), peer).toFuture());
                }
                // The progress thread of a previously closed communicator may still be ending.
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
                    PointToPointCases.requireFilled(outputs.get(i), i + 1);
                }
            });
        }
    }

    private static long watchers()
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("tutti-progress-0")).count();
    }
}
