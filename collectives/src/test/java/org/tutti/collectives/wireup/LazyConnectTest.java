/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.bootstrap.RankFailure;
import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.CollectiveTimeoutException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.RankFailedException;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.device.QueueSizes;
import org.tutti.collectives.endpoint.Connection;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests connections that are made when the first call needs them, and failures during setup: connections of copies of
 * the communicator, and those to unlikely peers.
 */
class LazyConnectTest
{
    private static final int COMPLETIONS = QueueSizes.SEND_DEPTH + QueueSizes.RECEIVE_DEPTH;
    private static final Map<String, String> RING = Map.of(
        "TUTTI_ALGORITHM", "allreduce:0-:ring;broadcast:0-:chain;alltoall:0-:pairwise", "TUTTI_SCRATCH", "64K");

    @Test
    void shouldConnectAllRanksOnlyWhenACallNeedsThem()
    {
        final int size = 16;
        final int likely = 7;
        try (Ranks ranks = Ranks.of(Collections.nCopies(size, RING)))
        {
            for (int rank = 0; rank < size; rank++)
            {
                assertEquals(likely, connections(ranks, rank), "rank " + rank);
            }
            ranks.run(communicator ->
            {
                final int[] values = {communicator.rank(), 1};
                communicator.allreduce(values, ReduceOp.SUM);
                assertEquals(size * (size - 1) / 2, values[0]);
                assertEquals(size, values[1]);
            });
            for (int rank = 0; rank < size; rank++)
            {
                assertEquals(likely, connections(ranks, rank), "rank " + rank);
            }
            ranks.run(communicator -> communicator.alltoall(
                communicator.allocate(DataType.INT32, 4 * size), communicator.allocate(DataType.INT32, 4 * size)));
            for (int rank = 0; rank < size; rank++)
            {
                assertEquals(size - 1, connections(ranks, rank), "rank " + rank);
            }
        }
    }

    @Test
    void shouldGrowCompletionQueueWhenMoreConnectionsAreNeeded()
    {
        final int size = QueueSizes.FIRST_CONNECTIONS + 8;
        try (Ranks ranks = Ranks.of(Collections.nCopies(size, RING)))
        {
            ranks.run(Communicator::barrier);
            final Team team = ranks.team(0);
            int count = (int)connections(ranks, 0);
            assertTrue(team.completionQueue().capacity() < (size - 1) * COMPLETIONS, "initial capacity is too large");
            for (int peer = 1; peer < size; peer++)
            {
                if (team.connections()[peer] == null)
                {
                    team.wireup().open(peer);
                    count++;
                    assertTrue(team.completionQueue().capacity() >= count * COMPLETIONS,
                        "no room for " + count + " connections: " + team.completionQueue().capacity());
                }
            }
            assertTrue(team.connectionTable().isComplete());
            ranks.run(Communicator::barrier);
        }
    }

    /** For calls that need more connections than the device supports. */
    @Test
    @Timeout(60)
    void shouldReportDeviceLimitWhenQueuePairsAreExhausted()
    {
        final int size = 4;
        try (Ranks ranks = Ranks.of(Collections.nCopies(size, Map.of("TUTTI_ALGORITHM", "alltoall:0-:pairwise"))))
        {
            for (int rank = 0; rank < size; rank++)
            {
                ranks.team(rank).device(rank).port().limits().maxQueuePairs = size - 2;
            }
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final DataBuffer input = communicator.allocate(DataType.INT32, size);
                final DataBuffer output = communicator.allocate(DataType.INT32, size);
                communicator.dup().alltoall(input, output);
            });
            assertFalse(thrown.contains(null), thrown::toString);
            assertTrue(thrown.stream().anyMatch(each -> each.getMessage().contains(
                "ibv_create_qp: connections to more than 2 of 3 peers are needed, shm/shm0 supports no more " +
                "connections: start fewer ranks, or choose another algorithm by TUTTI_ALGORITHM")), thrown::toString);
        }
    }

    @Test
    @Timeout(60)
    void shouldNotReportMismatchWhenRankIsLate()
    {
        try (Ranks ranks = new Ranks(3, RING))
        {
            ranks.run(communicator ->
            {
                for (int late = 0; late < 3; late++)
                {
                    if (communicator.rank() == late)
                    {
                        Thread.sleep(1_500);
                    }
                    final Communicator copy = late == 2 ? communicator.dup() : communicator;
                    final long[] values = {1};
                    copy.allreduce(values, ReduceOp.SUM);
                    assertEquals(3, values[0]);
                    if (late == 2)
                    {
                        copy.close();
                    }
                }
            });
        }
    }

    /** Rank 3 waits for 0 and 1, which never connect to it. */
    @Test
    @Timeout(60)
    void shouldNameBothCallsWhenUnconnectedRanksDisagree()
    {
        try (Ranks ranks = new Ranks(4, RING))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Communicator copy = communicator.dup();
                if (copy.rank() == 3)
                {
                    copy.barrier();
                }
                else
                {
                    copy.broadcast(new int[1], 0);
                    copy.allreduce(new int[1], ReduceOp.MAX);
                }
            });

            final String all = thrown.toString();
            for (final Throwable failure : thrown)
            {
                assertInstanceOf(CollectiveException.class, failure, all);
            }
            assertTrue(all.contains("called barrier") && all.contains("called broadcast(1 × int32, root 0)"), all);
        }
    }

    @Test
    @Timeout(60)
    void shouldReportClosedPeerWhenItNeverConnected()
    {
        try (Ranks ranks = new Ranks(4, RING))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Communicator copy = communicator.dup();
                if (copy.rank() == 2)
                {
                    copy.close();
                }
                else
                {
                    copy.allreduce(new int[1], ReduceOp.MAX);
                }
            });

            assertNull(thrown.get(2));
            for (final int rank : new int[]{0, 1, 3})
            {
                assertInstanceOf(CollectiveException.class, thrown.get(rank));
                assertTrue(thrown.get(rank).getMessage().contains("closed its communicator before its first call"),
                    thrown.get(rank)::getMessage);
            }
        }
    }

    @Test
    @Timeout(60)
    void shouldNameLateRankWhenThereIsNoConnection()
    {
        try (Ranks ranks = new Ranks(3, RING))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Communicator copy = communicator.dup();
                if (copy.rank() != 1)
                {
                    copy.withTimeout(Duration.ofMillis(300)).allreduce(new int[1], ReduceOp.MAX);
                }
            });

            assertNull(thrown.get(1));
            final Throwable first = thrown.get(0) instanceof CollectiveTimeoutException ? thrown.get(0) : thrown.get(2);
            assertInstanceOf(CollectiveTimeoutException.class, first);
            assertTrue(first.getMessage().contains("waiting for rank 1 ("), first::getMessage);
            assertTrue(first.getMessage().contains(") has not made the call"), first::getMessage);
        }
    }

    @Test
    @Timeout(60)
    void shouldFailWhenARankFailsDuringConnect()
    {
        final List<InMemoryBootstrap> group = InMemoryBootstrap.group(3);
        try (Ranks ranks = new Ranks(group, Collections.nCopies(3, RING)))
        {
            final List<Throwable> thrown = ranks.outcomes(communicator ->
            {
                final Communicator copy = communicator.dup();
                if (copy.rank() == 1)
                {
                    ranks.awaitWaiting(0, "allreduce");
                    ranks.awaitWaiting(2, "allreduce");
                    group.get(1).fail(new RankFailure(1, "host", 7, "killed by SIGKILL"));
                }
                copy.allreduce(new int[1], ReduceOp.MAX);
            });

            for (final Throwable failure : thrown)
            {
                assertEquals(1, assertInstanceOf(RankFailedException.class, failure).peer());
                assertTrue(failure.getMessage().contains("killed by SIGKILL"), failure::getMessage);
            }
        }
    }

    private static long connections(final Ranks ranks, final int rank)
    {
        return Arrays.stream(ranks.team(rank).connections()).filter(Objects::nonNull)
            .filter(Connection::isJoined).count();
    }
}
