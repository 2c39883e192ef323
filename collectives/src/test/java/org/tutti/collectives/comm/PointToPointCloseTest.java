/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.Request;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Calls end when either rank closes its communicator, and all resources are released. */
@Timeout(60)
class PointToPointCloseTest
{
    private static final Map<String, String> HALF_A_MINUTE = Map.of("TUTTI_TIMEOUT", "30s");

    @Test
    void shouldFailWhenThePeerHasClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.recv(new int[1], 1);
                }
                else
                {
                    communicator.close();
                }
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1, tag 0) #0", "closed its communicator");
            assertNull(thrown.get(1));
        }
    }

    @Test
    void shouldFailWhenThePeerHasClosedAfterOtherCalls()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                communicator.barrier();
                if (communicator.rank() == 0)
                {
                    communicator.send(new int[1], 1);
                    communicator.send(new int[2000], 1);
                }
                else
                {
                    communicator.recv(new int[1], 0);
                    communicator.close();
                }
            });
            requireClosed(thrown.get(0), "send(2000 × int32, to rank 1, tag 0) #1",
                "closed its communicator without making the matching call");
            assertNull(thrown.get(1));
        }
    }

    /** No peer has connected to this rank, so none tells it. */
    @Test
    void shouldFailAReceiveFromAnyRankWhenAllOthersHaveClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.recv(new int[1], PointToPoint.ANY_SOURCE);
                }
                else
                {
                    communicator.close();
                }
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from any rank, tag 0) #0", "all other ranks have closed");
        }
    }

    @Test
    void shouldFailPendingRequestsWhenClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(3, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    final DataBuffer buffer = communicator.allocate(DataType.INT32, 5);
                    final Request received = communicator.irecv(buffer, 1);
                    communicator.close();
                    received.await();
                }
            });
            requireClosed(thrown.get(0), "recv(5 × int32, from rank 1, tag 0) #0", "closed the communicator while");
        }
    }

    @Test
    void shouldFailACallThatAnotherThreadWaitsInWhenClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                if (communicator.rank() == 0)
                {
                    communicator.recv(new int[1], 1);
                    return;
                }
                ranks.awaitWaiting(0, "recv");
                ranks.communicator(0).close();
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1, tag 0) #0", "closed the communicator while");
            assertThrows(IllegalStateException.class, () -> ranks.communicator(0).send(new int[1], 1));
        }
    }

    /** A sendrecv holds the locks of two channels and waits in one. */
    @Test
    void shouldFailTheSendrecvOfAnotherThreadWhenClosed()
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(2, HALF_A_MINUTE)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT32, 1);
                final DataBuffer output = communicator.allocate(DataType.INT32, 1);
                if (communicator.rank() == 0)
                {
                    communicator.sendrecv(input, 1, output, 1);
                    return;
                }
                communicator.recv(output, 0);
                ranks.awaitWaiting(0, "sendrecv");
                ranks.communicator(0).close();
            });
            requireClosed(thrown.get(0), "recv(1 × int32, from rank 1, tag 0) #0", "closed the communicator while");
        }
    }

    private static void requireClosed(final Throwable thrown, final String... parts)
    {
        assertInstanceOf(CollectiveException.class, thrown);
        for (final String part : parts)
        {
            assertTrue(thrown.getMessage().contains(part), thrown::getMessage);
        }
    }

    /** Also if a rank has waited for another one that made no call. */
    @Test
    void shouldLeaveNothingInTheStore()
    {
        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final List<Bootstrap> group = InMemoryBootstrap.group(2).stream()
            .map(bootstrap -> InterceptedBootstrap.recording(bootstrap, keys)).toList();
        try (Ranks ranks = new Ranks(group, Collections.nCopies(2, HALF_A_MINUTE)))
        {
            ranks.run(communicator ->
            {
                final int[] values = {communicator.rank()};
                final Communicator twin = communicator.dup();
                for (final Communicator each : List.of(communicator, twin))
                {
                    if (communicator.rank() == 0)
                    {
                        each.send(values, 1);
                    }
                    else
                    {
                        each.recv(values, 0);
                        assertEquals(0, values[0]);
                    }
                }
                final Communicator unused = communicator.dup();
                if (communicator.rank() == 0)
                {
                    // The peer does not take the record that this rank publishes for it.
                    assertTrue(unused.irecv(communicator.allocate(DataType.INT32, 1), 1).cancel());
                    assertTrue(keys.stream().anyMatch(key -> key.contains(">/qp/0-1")), keys::toString);
                }
                unused.close();
                twin.close();
            });
        }
        keys.removeIf(key -> !key.contains(">"));
        assertEquals(Set.of(), keys);
    }
}
