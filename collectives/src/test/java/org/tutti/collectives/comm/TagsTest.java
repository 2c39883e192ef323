/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.ReceiveRequest;
import org.tutti.collectives.Request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tutti.collectives.PointToPoint.ANY_SOURCE;
import static org.tutti.collectives.PointToPoint.ANY_TAG;

/** Receives select messages by source and tag, as in MPI. */
@Timeout(60)
class TagsTest
{
    private static Map<String, String> direct(final boolean isDirect)
    {
        return isDirect ? Map.of() : Map.of("TUTTI_DIRECT", "0");
    }

    /** Eager and longer messages, received in the opposite order of that in which they were sent. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldReceiveByTagInAnyOrder(final boolean isDirect)
    {
        final int tags = 30;
        try (Ranks ranks = new Ranks(2, direct(isDirect)))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final List<Request> sent = new ArrayList<>();
                    for (int tag = 0; tag < tags; tag++)
                    {
                        sent.add(communicator.isend(
                            PointToPointCases.filled(communicator, 100L * tag, tag), 1, tag * 1_000_003));
                    }
                    sent.forEach(Request::await);
                }
                else
                {
                    final MessageStatus status = new MessageStatus();
                    for (int tag = tags - 1; tag >= 0; tag--)
                    {
                        final DataBuffer buffer = communicator.allocate(DataType.INT32, 100L * tag);
                        communicator.recv(buffer, 0, tag * 1_000_003, status);
                        PointToPointCases.requireFilled(buffer, tag);
                        assertEquals(tag * 1_000_003, status.tag());
                        assertEquals(100L * tag, status.count());
                    }
                }
            });
        }
    }

    @Test
    void shouldReceiveFromAnySource()
    {
        final int each = 20;
        try (Ranks ranks = new Ranks(4))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() > 0)
                {
                    for (int i = 0; i < each; i++)
                    {
                        communicator.send(new int[] {100 * communicator.rank() + i}, 0, i % 3);
                    }
                    return;
                }
                final int[] next = new int[communicator.size()];
                final MessageStatus status = new MessageStatus();
                for (int i = 0; i < 3 * each; i++)
                {
                    final int[] got = new int[1];
                    communicator.recv(got, ANY_SOURCE, ANY_TAG, status);
                    final int number = next[status.source()]++;
                    assertEquals(100 * status.source() + number, got[0]);
                    assertEquals(number % 3, status.tag());
                    assertEquals(1, status.count());
                    assertEquals(DataType.INT32, status.type());
                }
                assertArrayEquals(new int[] {0, each, each, each}, next);
            });
        }
    }

    @Test
    void shouldReceiveMessagesShorterThanTheBuffer()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                for (final int count : new int[] {0, 1, 6, 1_000, 1_024, 1_025, 50_000})
                {
                    if (communicator.rank() == 0)
                    {
                        communicator.send(PointToPointCases.filled(communicator, count, count), 1);
                        continue;
                    }
                    final DataBuffer buffer = PointToPointCases.filled(communicator, 60_000, -1);
                    final ReceiveRequest received = communicator.irecv(buffer, 0);
                    received.await();
                    assertEquals(count, received.status().count());
                    assertEquals(0, received.status().source());
                    PointToPointCases.requireFilled(buffer.slice(0, count), count);
                    assertEquals(count * 31 - 1, buffer.segment().getAtIndex(JAVA_INT, count));
                }
            });
        }
    }

    /** More unreceived messages than the receiver keeps: the rest waits at the sender, and none is lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotLetUnreceivedMessagesBlockOthers(final boolean isDirect)
    {
        final int flood = 500;
        try (Ranks ranks = new Ranks(2, direct(isDirect)))
        {
            ranks.run(communicator ->
            {
                final DataBuffer large = communicator.allocate(DataType.INT32, 100_000);
                final List<Request> sent = new ArrayList<>();
                if (communicator.rank() == 0)
                {
                    for (int i = 0; i < flood; i++)
                    {
                        sent.add(communicator.isend(PointToPointCases.filled(communicator, 500, i), 1, 1));
                    }
                    communicator.send(new int[] {7}, 1, 2);
                    communicator.recv(large, 1, 3);
                    sent.forEach(Request::await);
                    return;
                }
                final int[] got = new int[1];
                communicator.recv(got, 0, 2);
                assertEquals(7, got[0]);
                communicator.send(large, 0, 3);
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 500);
                for (int i = 0; i < flood; i++)
                {
                    communicator.recv(buffer, 0, 1);
                    PointToPointCases.requireFilled(buffer, i);
                }
            });
        }
    }

    @Test
    void shouldServeManyThreadsThatReceiveFromOneRank()
    {
        final int threadCount = 8;
        final int each = 50;
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final List<Future<BitSet>> received = new ArrayList<>();
                try (ExecutorService threads = Executors.newFixedThreadPool(threadCount))
                {
                    for (int thread = 0; thread < threadCount; thread++)
                    {
                        final int tag = thread;
                        received.add(threads.submit(() -> communicator.rank() == 0 ?
                            sendAll(communicator, tag, each) : receiveAll(communicator, tag, each)));
                    }
                }
                for (final Future<BitSet> future : received)
                {
                    assertEquals(each, future.get().cardinality());
                }
            });
        }
    }

    private static BitSet sendAll(final Communicator communicator, final int tag, final int count)
    {
        final BitSet sent = new BitSet();
        for (int i = 0; i < count; i++)
        {
            communicator.send(new int[] {i, tag}, 1, tag);
            sent.set(i);
        }
        return sent;
    }

    private static BitSet receiveAll(final Communicator communicator, final int tag, final int count)
    {
        final BitSet received = new BitSet();
        for (int i = 0; i < count; i++)
        {
            final int[] got = new int[2];
            communicator.recv(got, 0, tag);
            assertArrayEquals(new int[] {i, tag}, got);
            received.set(got[0]);
        }
        return received;
    }

    /** Another thread makes the progress that copies the message into memory that only its owner may access. */
    @Test
    void shouldReceiveIntoConfinedMemoryWhileAnotherThreadMakesProgress()
    {
        final CountDownLatch isReceiving = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    isReceiving.await();
                    communicator.send(new int[] {5}, 0, 1);
                    communicator.send(new int[] {6}, 0, 2);
                    return;
                }
                try (ExecutorService threads = Executors.newSingleThreadExecutor(); Arena arena = Arena.ofConfined())
                {
                    final Future<?> other = threads.submit(() ->
                    {
                        isReceiving.countDown();
                        communicator.recv(new int[1], 1, 2);
                    });
                    final MemorySegment confined = arena.allocate(JAVA_INT);
                    communicator.recv(confined, 1, DataType.INT32, 1, 1);
                    assertEquals(5, confined.get(JAVA_INT, 0));
                    other.get();
                }
            });
        }
    }

    @Test
    void shouldCancelAReceiveThatNoMessageMatches()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                if (communicator.rank() == 0)
                {
                    final Request never = communicator.irecv(buffer, 1, 9);
                    assertTrue(never.cancel());
                    assertFalse(never.cancel());
                    communicator.recv(buffer, 1, 9);
                }
                else
                {
                    communicator.send(buffer, 0, 9);
                }
            });
        }
    }

    @Test
    void shouldReleaseTheBufferOfARequestThatCannotStart()
    {
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final Communicator closed = communicator.dup();
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                closed.close();
                assertThrows(IllegalStateException.class, () -> closed.irecv(buffer, 1 - communicator.rank()));
                buffer.close();
            });
        }
    }

    /** Its queue pairs no longer exist: nothing may be sent to it, such as credits for its messages. */
    @Test
    void shouldReceiveMessagesOfARankThatHasClosed()
    {
        final int count = 1000;
        final int messages = 5;
        final CountDownLatch closed = new CountDownLatch(1);
        final List<Map<String, String>> environments = Collections.nCopies(2, direct(false));
        try (Ranks ranks = new Ranks(
            InMemoryBootstrap.group(2).stream().map(TagsTest::closingAtOnce).toList(), environments))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 1)
                {
                    for (int i = 0; i < messages; i++)
                    {
                        communicator.send(PointToPointCases.filled(communicator, count, i), 0);
                    }
                    communicator.close();
                    closed.countDown();
                    return;
                }
                // Connects, so that the messages can be sent.
                communicator.probe(1, ANY_TAG, null);
                closed.await();
                final DataBuffer buffer = communicator.allocate(DataType.INT32, count);
                for (int i = 0; i < messages; i++)
                {
                    communicator.recv(buffer, 1);
                    PointToPointCases.requireFilled(buffer, i);
                }
            });
        }
    }

    /** A rank that closes waits 10 s for the others; here it does not, and frees its queue pairs at once. */
    private static Bootstrap closingAtOnce(final Bootstrap bootstrap)
    {
        return InterceptedBootstrap.of(bootstrap, (method, arguments, call) -> call.with(
            bootstrap.rank() == 1 && method.equals("allgather") && arguments[0].equals("close") ?
            new Object[] {arguments[0], arguments[1], 1L} : arguments));
    }

    /** A range is staged as a whole. */
    @Test
    void shouldSendALongMessageWithoutRegisteringItsLength()
    {
        final int count = 8 << 20;
        final Map<String, String> byQueuePair = direct(false);
        try (Ranks ranks = Ranks.of(List.of(byQueuePair, byQueuePair)))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[count], 1);
                }
                else
                {
                    communicator.recv(communicator.allocate(DataType.INT32, count), 0);
                }
            });
            assertTrue(ranks.team(0).pool().peakBytes() < 4L * count, ranks.team(0).pool().peakBytes() + " bytes");
        }
    }

    @Test
    void shouldRejectInvalidTags()
    {
        try (Ranks ranks = new Ranks(2))
        {
            final Communicator communicator = ranks.communicator(0);
            final DataBuffer one = communicator.allocate(DataType.INT32, 1);
            requireMessage("tag=-1: must be from 0 to 2147483647", () -> communicator.send(one, 1, ANY_TAG));
            requireMessage("tag=-2: must be from 0 to 2147483647, or ANY_TAG", () -> communicator.recv(one, 1, -2));
            requireMessage("dest=-1: must be from 0 to 1", () -> communicator.send(one, ANY_SOURCE, 0));
        }
        try (Ranks alone = new Ranks(1))
        {
            requireMessage("source=ANY_SOURCE: the communicator has no other rank",
                () -> alone.communicator(0).recv(new int[1], ANY_SOURCE));
        }
    }

    private static void requireMessage(final String expected, final Runnable call)
    {
        assertEquals(expected, assertThrows(IllegalArgumentException.class, call::run).getMessage());
    }
}
