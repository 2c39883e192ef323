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

/** Eager sends complete before they are received, and a lost one is reported. */
@Timeout(60)
class ShortSendTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");
    /** Maximum number of elements of an eager message. */
    private static final int MOST = ReceiveFifo.MAX_PAYLOAD / Integer.BYTES;
    /** Number of such messages that fill a FIFO. */
    private static final int AHEAD = ReceiveFifo.EAGER_LENGTH / ReceiveFifo.MAX_PAYLOAD - 1;
    /** More than the length of a channel's send queue. */
    private static final int WAKES = 300;

    @Test
    void shouldCompleteShortSendsBeforeTheyAreReceived()
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
                    // The first send to a rank must know its address.
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

    /**
     * Each message wakes the receiver by a work request; without polling their completions the send queue overflows.
     */
    @Test
    void shouldWakeASleepingReceiverManyTimes()
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

    /** The calls do not involve the failed rank, and need not wait. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("callsWithoutAWait")
    void shouldReportAFailedRankInCallsThatDoNotWait(
        final String name, final BiConsumer<Communicator, DataBuffer> call)
    {
        final CountDownLatch isReady = new CountDownLatch(2);
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = communicator.allocate(DataType.INT32, 1);
                communicator.broadcast(buffer, 0);
                if (communicator.rank() == 2)
                {
                    isReady.countDown();
                }
                else if (communicator.rank() == 1)
                {
                    communicator.recv(buffer, 0);
                    communicator.send(buffer, 0);
                    communicator.send(buffer, 0);
                    isReady.countDown();
                }
                else
                {
                    communicator.send(buffer, 1);
                    communicator.recv(buffer, 1);
                    isReady.await();
                    group.get(0).fail(new RankFailure(2, "host", 1, "it was killed"));
                    final RankFailedException thrown =
                        assertThrows(RankFailedException.class, () -> call.accept(communicator, buffer));
                    // Of a send and a receive at once, either may report it.
                    requireMessage(thrown, name.startsWith("b") ? "broadcast(" :
                        thrown.getMessage().contains("recv(") && name.startsWith("sendrecv") ? "recv(" : "send(",
                        "it was killed");
                }
            });
        }
    }

    /** The short message is sent without a rendezvous, and the long one waits for the RTR. */
    @Test
    void shouldReportMismatchToRanksThatOnlyTest()
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
                    "send(" + (MOST + 1) + " × int32, to rank 1, tag 0)", "recv(10 × int32, from rank 0, tag 0)");
            }
        }
    }

    /** A message that was not received must not be taken for the next one. */
    @Test
    void shouldNotReceiveAMessageOfAnEarlierSend()
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
                "send(2 × int32, to rank 1, tag 0)", "recv(0 × int32, from rank 0, tag 0)");
        }
    }

    /** A short send does not wait for its receiver. */
    @Test
    void shouldFailOnCloseWhenASendWasNotReceived()
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
            requireMessage(ranks.outcomes(Communicator::close).get(1),
                "closed its communicator without receiving send(2 × int32, to rank 1, tag 0) of rank 0 (");
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
