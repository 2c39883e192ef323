/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.progress.WaitingThread;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A rank that waits for a late or dead rank gets an error with its name, and does not hang. */
@Timeout(60)
class PointToPointFailureTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");
    /** Shorter than a second; two of them are longer. */
    private static final long HALF_MS = 700;

    @Test
    void shouldNameTheRankThatDidNotReceiveInTime()
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
            assertTrue(message.contains("send(10 × int32, to rank 2, tag 0) #0 timed out after 0.3 s"), message);
            assertTrue(message.contains("has not made the call"), message);
            assertThrows(CollectiveException.class, () -> ranks.communicator(1).barrier());
        }
    }

    /** The request watched before has a later deadline. */
    @Test
    void shouldFailAtTheEarliestDeadlineOfSeveralFutures()
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

    /** Returns the progress thread of a rank; that of a previously closed communicator may still be ending. */
    private static Thread progressThread(final int rank)
    {
        return Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("tutti-progress-" + rank))
            .max(Comparator.comparingLong(Thread::threadId)).orElseThrow();
    }

    /** The peer does the first half late, and the second half after this rank's deadline. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldShareOneDeadlineAcrossBothHalvesOfASendrecv(final boolean isBehindOthers)
    {
        final CountDownLatch connected = new CountDownLatch(1);
        final CountDownLatch failed = new CountDownLatch(1);
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                // Too long for the eager buffer.
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
            assertTrue(thrown.get(0).getMessage().contains("recv(1 × int32, from rank 2, tag 0)"), thrown::toString);
        }
    }
}
