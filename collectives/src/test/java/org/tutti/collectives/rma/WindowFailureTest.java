/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.rma;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.BootstrapException;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.ProcessState;
import org.tutti.bootstrap.ProcessStates;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.Window;
import org.tutti.collectives.comm.InterceptedBootstrap;
import org.tutti.collectives.comm.Ranks;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests that a rank that waits in a window for a late, dead or unreachable rank gets its number, and does not hang. */
@Timeout(60)
class WindowFailureTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    @Test
    void shouldNameRankAndSignalWhenWaitTimesOut()
    {
        try (Ranks ranks = new Ranks(3))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 1)
                {
                    window.signal(0, 5);
                }
                if (communicator.rank() == 0)
                {
                    window.waitSignal(1, 5, 1);
                    window.withTimeout(Duration.ofMillis(300)).waitSignal(1, 5, 2);
                }
            });
            final CollectiveTimeoutException timeout =
                assertInstanceOf(CollectiveTimeoutException.class, thrown.getFirst());
            assertEquals(1, timeout.peer());
            final String message = timeout.getMessage();
            assertTrue(message.startsWith("rank 0 ("), message);
            assertTrue(message.contains("waitSignal(rank 1 ("), message);
            assertTrue(message.contains("signal 5, 0 of 2 arrived) in window #0"), message);
            assertTrue(message.contains("timed out after 0.3 s waiting for rank 1 ("), message);
            assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());
        }
    }

    @Test
    void shouldReportProcessStateOfLateRankWhenWaitTimesOut()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(2);
        final ProcessStates states = new ProcessStates();
        states.set(1, 4711, ProcessState.STOPPED);
        group.getFirst().put(ProcessStates.KEY, states.encode());
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final Throwable thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.withTimeout(Duration.ofMillis(300)).waitSignal(1, 5, 1);
                }
            }).getFirst();
            final CollectiveTimeoutException timeout = assertInstanceOf(CollectiveTimeoutException.class, thrown);
            assertEquals(1, timeout.peer());
            assertTrue(timeout.getMessage().endsWith("; rank 1 (pid 4711) is stopped"), timeout::getMessage);
        }
    }

    @Test
    void shouldNameDeadRank()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer memory = communicator.allocate(DataType.INT32, 1);
                try (Window window = communicator.window(memory))
                {
                    switch (communicator.rank())
                    {
                        case 0 -> window.waitSignal(2, 0, 1);
                        case 1 -> window.iwaitSignal(2, 0, 1).toFuture().join();
                        default ->
                        {
                            ranks.awaitWaiting(0, "waitSignal");
                            ranks.awaitWaiting(1, "join");
                            group.get(0).fail(new RankFailure(2, "host", 1, "it was killed"));
                            window.waitSignal(0, 0, 1);
                        }
                    }
                }
            });
            for (int rank = 0; rank < 2; rank++)
            {
                final Throwable failure = rank == 0 ? thrown.get(0) : thrown.get(1).getCause();
                assertEquals(2, assertInstanceOf(RankFailedException.class, failure).peer());
                assertTrue(failure.getMessage().contains("it was killed"), failure::getMessage);
            }
            assertTrue(thrown.get(0).getMessage().contains("waitSignal(rank 2 ("), thrown::toString);
        }
    }

    @Test
    void shouldReportReasonWhenTargetCannotConnect()
    {
        final List<Bootstrap> group = InMemoryBootstrap.group(2).stream().map(WindowFailureTest::breaking).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Window window = communicator.window(communicator.allocate(DataType.INT32, 1));
                if (communicator.rank() == 0)
                {
                    window.signal(1, 0);
                }
            });
            assertInstanceOf(CollectiveException.class, thrown.getFirst());
            assertTrue(thrown.getFirst().getMessage().contains("no way from here"), thrown::toString);
        }
    }

    /** Rank 1, the target of the connection, cannot connect. */
    private static Bootstrap breaking(final Bootstrap bootstrap)
    {
        return InterceptedBootstrap.of(bootstrap, (method, arguments, call) ->
        {
            if (method.equals("takeAsync") && bootstrap.rank() == 1 &&
                ((String)arguments[0]).contains('/' + WindowAcceptor.REQUEST_KEY))
            {
                throw new BootstrapException("no way from here");
            }
            return call.with(arguments);
        });
    }

    @Test
    void shouldRejectCallsAfterAnotherFailure()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                try (DataBuffer memory = communicator.allocate(DataType.INT32, 4);
                    Window window = communicator.window(memory))
                {
                    if (communicator.rank() == 0)
                    {
                        assertThrows(CollectiveTimeoutException.class,
                            () -> communicator.withTimeout(Duration.ofMillis(100)).recv(new int[1], 1));
                        assertThrows(CollectiveException.class, () -> window.put(memory, 0, 1, 1, 1));
                        assertThrows(CollectiveException.class, () -> window.waitSignal(1, 0, 1));
                    }
                }
            });
            assertNull(thrown.getFirst());
        }
    }
}
