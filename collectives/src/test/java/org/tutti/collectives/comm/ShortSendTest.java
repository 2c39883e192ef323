/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.Request;
import org.tutti.collectives.endpoint.ReceiveFifo;
import org.tutti.collectives.util.Backoff;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.ValueLayout;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sends that messages carry: they are done before anybody receives, and nothing of them is lost without a word. */
@Timeout(60)
class ShortSendTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");
    /** The most that a message carries. */
    private static final int MOST = ReceiveFifo.MAX_PAYLOAD / Integer.BYTES;
    /** As many of that fill a FIFO. */
    private static final int AHEAD = ReceiveFifo.EAGER_LENGTH / ReceiveFifo.MAX_PAYLOAD - 1;
    /** More than a channel's send queue has places. */
    private static final int WAKES = 300;

    @Test
    void shouldSendWhatIsShortBeforeItIsReceived()
    {
        final CountDownLatch isAhead = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, MOST);
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    // Whoever sends first must know where to.
                    communicator.send(buffer, 1);
                    for (int call = 0; call < AHEAD; call++)
                    {
                        buffer.segment().set(ValueLayout.JAVA_INT, 0, call);
                        communicator.send(buffer, 1);
                    }
                    isAhead.countDown();
                }
                else
                {
                    communicator.recv(buffer, 0);
                    isAhead.await();
                    for (int call = 0; call < AHEAD; call++)
                    {
                        communicator.recv(buffer, 0);
                        assertEquals(call, buffer.segment().get(ValueLayout.JAVA_INT, 0));
                    }
                }
            });
        }
    }

    /** Each message wakes who sleeps, by a request, and requests that nobody sees the end of are too many at last. */
    @Test
    void shouldWakeWhoReceivesHoweverOften()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT32, 1);
                final DataBuffer output = communicator.allocate(DataType.INT32, 1);
                final int other = 1 - communicator.rank();
                for (int call = 0; call < WAKES; call++)
                {
                    if (other == 1)
                    {
                        Backoff.sleep(2_000_000);
                    }
                    communicator.sendrecv(input, other, output, other);
                }
            });
            final Team channel = ranks.session(0).channels().to(1).team();
            assertTrue(channel.connections()[1 - channel.rank()].byQueuePair().canPost());
        }
    }

    static Stream<Arguments> callsWithoutAWait()
    {
        return Stream.of(
            Arguments.of("send", (BiConsumer<Communicator, DataBuffer>)(c, buffer) -> c.send(buffer, 1)),
            Arguments.of("isend", (BiConsumer<Communicator, DataBuffer>)(c, buffer) -> c.isend(buffer, 1).await()),
            Arguments.of("sendInit", (BiConsumer<Communicator, DataBuffer>)(c, buffer) -> c.sendInit(buffer, 1).run()),
            Arguments.of("sendrecv", (BiConsumer<Communicator, DataBuffer>)(c, buffer) ->
                c.sendrecv(buffer, 1, c.allocate(DataType.INT32, 1), 1)),
            Arguments.of("broadcast", (BiConsumer<Communicator, DataBuffer>)(c, buffer) -> c.broadcast(buffer, 0)));
    }

    /** Nothing of it concerns who failed, and there is nothing to wait for. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("callsWithoutAWait")
    void shouldNoticeAFailedRankInCallsThatDoNotWait(
        final String name, final BiConsumer<Communicator, DataBuffer> call)
    {
        final CountDownLatch isSent = new CountDownLatch(1);
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                communicator.broadcast(buffer, 0);
                if (communicator.rank() == 1)
                {
                    communicator.recv(buffer, 0);
                    communicator.send(buffer, 0);
                    communicator.send(buffer, 0);
                    isSent.countDown();
                }
                else if (communicator.rank() == 0)
                {
                    communicator.send(buffer, 1);
                    communicator.recv(buffer, 1);
                    isSent.await();
                    group.get(0).fail(new RankFailure(2, "host", 1, "it was killed"));
                    final RankFailedException thrown =
                        assertThrows(RankFailedException.class, () -> call.accept(communicator, buffer));
                    requireMessage(thrown, name.startsWith("b") ? "broadcast(" : "send(", "it was killed");
                }
            });
        }
    }

    /** The short one asks nobody, and the long one waits to be asked for. */
    @Test
    void shouldTellThoseWhoOnlyTestWhatTheyWaitFor()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, MOST + 1);
                final Request request;
                if (communicator.rank() == 0)
                {
                    communicator.send(buffer, 1);
                    request = communicator.isend(buffer, 1);
                }
                else
                {
                    communicator.recv(buffer, 0);
                    request = communicator.irecv(buffer.slice(0, 10), 0);
                }
                while (!request.test())
                {
                    Thread.onSpinWait();
                }
            });
            for (final Throwable each : thrown)
            {
                requireMessage(each, "ranks disagree in call #1",
                    "send(" + (MOST + 1) + " × int32, to rank 1)", "recv(10 × int32, from rank 0)");
            }
        }
    }

    /** A message that nobody took must not be taken for the next one. */
    @Test
    void shouldNotReceiveWhatWasSentBefore()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[1], 1);
                    communicator.send(new int[] {1, 2}, 1);
                    communicator.send(new int[] {3, 4}, 1);
                }
                else
                {
                    communicator.recv(new int[1], 0);
                    communicator.recv(new int[0], 0);
                    communicator.recv(new int[2], 0);
                }
            });
            requireMessage(thrown.get(1), "ranks disagree in call #1",
                "send(2 × int32, to rank 1)", "recv(0 × int32, from rank 0)");
        }
    }

    /** What is short goes without waiting for who receives it. */
    @Test
    void shouldTellWhoClosesThatNobodyReceivedWhatItSent()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[1], 1);
                    communicator.send(new int[2], 1);
                }
                else
                {
                    communicator.recv(new int[1], 0);
                }
            });
            requireMessage(ranks.outcomes(Communicator::close).get(0),
                "send(2 × int32, to rank 1) #1", "closed its communicator after call #0");
        }
    }

    /** Both have made as many calls, so their number does not tell. */
    @Test
    void shouldTellWhoClosesThatSomethingWasSentAndNothingReceived()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[1], 1);
                    communicator.send(new int[2], 1);
                }
                else
                {
                    communicator.recv(new int[1], 0);
                    communicator.recv(new int[0], 0);
                }
            });
            // Rank 0 may be gone by now, and not say what it called.
            requireMessage(ranks.outcomes(Communicator::close).get(1), "recv(0 × int32, from rank 0)", "#1",
                "rank 0 (");
        }
    }

    private static void requireMessage(final Throwable thrown, final String... parts)
    {
        assertInstanceOf(CollectiveException.class, thrown);
        for (final String part : parts)
        {
            assertTrue(thrown.getMessage().contains(part), thrown::getMessage);
        }
    }
}
