/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Several requests of a communicator are in progress at once. */
class OverlappingRequestsTest
{
    private static final int ROUNDS = Boolean.getBoolean("tutti.test.torture") ? 6 : 3;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCompleteALaterCallBeforeAnEarlierRequest(final boolean isBlocking)
    {
        final CountDownLatch isDone = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer first = NumberedBuffers.filled(communicator, 0);
                final DataBuffer second = NumberedBuffers.filled(communicator, 1);
                communicator.barrier();
                if (communicator.rank() == 1)
                {
                    assertTrue(isDone.await(60, TimeUnit.SECONDS));
                    communicator.broadcast(first, 1);
                    communicator.broadcast(second, 0);
                    return;
                }
                final Request earlier = communicator.ibroadcast(first, 1);
                if (isBlocking)
                {
                    communicator.broadcast(second, 0);
                }
                else
                {
                    communicator.ibroadcast(second, 0).await();
                }
                assertFalse(earlier.isDone());
                isDone.countDown();
                earlier.await();
            });
        }
    }

    /**
     * Random sequences of requests and blocking calls of all collectives. Ranks make the same calls, but await in
     * different orders and at different times.
     */
    @ParameterizedTest
    @CsvSource({
        "2, 8, 1, 37", "3, 8, 1, 37", "5, 8, 1, 37", "3, 1, 1, 37", "3, 2, 1, 37", "3, 3, 0, 37", "4, 16, 1, 37",
        "2, 8, 0, 37", "3, 8, 0, 37", "2, 8, 1, 20000", "3, 8, 0, 20000", "2, 2, 0, 60000"})
    void shouldComputeCorrectlyWhenRequestsOverlap(
        final int size, final int outstanding, final int direct, final int count)
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        System.out.println("seed " + seed);
        try (Ranks ranks = new Ranks(size, Map.of(
            "TUTTI_OUTSTANDING", Integer.toString(outstanding), "TUTTI_DIRECT", Integer.toString(direct))))
        {
            ranks.run(communicator ->
            {
                final Random same = new Random(seed);
                final Random own = new Random(seed + 1 + communicator.rank());
                final List<RequestCase> cases = RequestCase.all(communicator, size - 1, count);
                cases.addAll(RequestCase.all(communicator, 0, 11));
                for (int round = 0; round < ROUNDS; round++)
                {
                    call(cases, same, own);
                    cases.forEach(RequestCase::requireSameAsBlocking);
                }
            });
        }
    }

    private static void call(final List<RequestCase> cases, final Random same, final Random own)
    {
        final long salt = same.nextInt();
        final List<RequestCase> order = new ArrayList<>(cases);
        Collections.shuffle(order, same);
        final List<Request> pending = new ArrayList<>();
        for (final RequestCase aCase : order)
        {
            aCase.fill(salt);
            if (same.nextInt(4) == 0)
            {
                aCase.run();
            }
            else
            {
                pending.add(aCase.start());
            }
            while (!pending.isEmpty() && own.nextInt(3) == 0)
            {
                pending.remove(own.nextInt(pending.size())).await();
            }
        }
        Collections.shuffle(pending, own);
        pending.forEach(Request::await);
    }

    @Test
    void shouldRejectBuffersOfARequestThatIsNotDone()
    {
        final CountDownLatch tried = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT32, 8);
                final DataBuffer output = communicator.allocate(DataType.INT32, 8);
                final DataBuffer other = communicator.allocate(DataType.INT32, 8);
                if (communicator.rank() == 1)
                {
                    assertTrue(tried.await(60, TimeUnit.SECONDS));
                }
                final Request request = communicator.iallreduce(input, output, ReduceOp.SUM);
                if (communicator.rank() == 0)
                {
                    requireRejected(communicator, input, output, other);
                    tried.countDown();
                }
                // Both only read the input.
                communicator.allreduce(input, other, ReduceOp.SUM);
                request.await();
                communicator.allreduce(other, output, ReduceOp.SUM);
                // A rejected request does not keep its buffers.
                List.of(input, output, other).forEach(DataBuffer::close);
            });
        }
    }

    private static void requireRejected(
        final Communicator communicator, final DataBuffer input, final DataBuffer output, final DataBuffer other)
    {
        final String readsOutput = "input overlaps the output of allreduce(8 × int32, sum), whose request is not " +
            "done: await it first, or use separate buffers";
        requireRejected(readsOutput, () -> communicator.iallreduce(output, other, ReduceOp.SUM));
        requireRejected(readsOutput, () -> communicator.allreduce(output.slice(7, 1), other.slice(0, 1), ReduceOp.SUM));
        requireRejected(readsOutput,
            () -> communicator.group(() -> communicator.allreduce(output, other, ReduceOp.SUM)));
        requireRejected("output overlaps the input of", () -> communicator.iallreduce(other, input, ReduceOp.SUM));
        requireRejected("output overlaps the output of", () -> communicator.ibroadcast(output, 1));
        requireRejected("output overlaps the output of", () -> communicator.reduce(other, output, ReduceOp.SUM, 0));
        requireRejected("output overlaps the input of", () -> communicator.broadcast(input, 1));
        try (PersistentRequest persistent = communicator.allreduceInit(output, other, ReduceOp.SUM))
        {
            requireRejected(readsOutput, persistent::start);
            requireRejected(readsOutput, persistent::run);
        }
    }

    private static void requireRejected(final String expected, final Runnable call)
    {
        final String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.startsWith(expected), message);
    }

    @Test
    void shouldNameTheAwaitedCallWhenItTimesOut()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final CountDownLatch isLate = new CountDownLatch(1);
            final Throwable thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer first = NumberedBuffers.filled(communicator, 0);
                final DataBuffer second = NumberedBuffers.filled(communicator, 1);
                communicator.barrier();
                if (communicator.rank() > 0)
                {
                    assertTrue(isLate.await(60, TimeUnit.SECONDS));
                    return;
                }
                try
                {
                    communicator.ibroadcast(first, 2);
                    communicator.withTimeout(Duration.ofMillis(300)).broadcast(second, 1);
                }
                finally
                {
                    isLate.countDown();
                }
            }).getFirst();

            final CollectiveTimeoutException timeout = assertInstanceOf(CollectiveTimeoutException.class, thrown);
            assertTrue(timeout.getMessage().contains(" #2 timed out after 0.3 s waiting for rank 1 ("),
                timeout::getMessage);
        }
    }

    @Test
    void shouldRejectSecondStartOfARequestInProgress()
    {
        final CountDownLatch tried = new CountDownLatch(1);
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer buffer = NumberedBuffers.filled(communicator, 0);
                try (PersistentRequest request = communicator.allreduceInit(buffer, ReduceOp.SUM))
                {
                    if (communicator.rank() == 1)
                    {
                        assertTrue(tried.await(60, TimeUnit.SECONDS));
                    }
                    request.start();
                    if (communicator.rank() == 0)
                    {
                        // Rather than a conflict with itself.
                        assertThrows(IllegalStateException.class, request::start);
                        assertThrows(IllegalStateException.class, request::run);
                        tried.countDown();
                    }
                    request.await();
                }
            });
        }
    }

    @Test
    void shouldAcceptAdjacentSlices()
    {
        final int parts = 50;
        try (Ranks ranks = new Ranks(2))
        {
            ranks.run(communicator ->
            {
                final DataBuffer all = communicator.allocate(DataType.INT32, parts);
                for (int i = 0; i < parts; i++)
                {
                    all.segment().setAtIndex(JAVA_INT, i, i);
                }
                final List<Request> requests = new ArrayList<>();
                for (int i = 0; i < parts; i++)
                {
                    requests.add(communicator.iallreduce(all.slice(i, 1), ReduceOp.SUM));
                }
                requests.reversed().forEach(Request::await);
                for (int i = 0; i < parts; i++)
                {
                    assertEquals(2 * i, all.segment().getAtIndex(JAVA_INT, i));
                }
            });
        }
    }
}
