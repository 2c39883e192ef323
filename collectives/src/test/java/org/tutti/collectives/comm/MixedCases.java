/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.CollectiveException;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.rma.WindowCases;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.QueuePairAttributeMask;
import org.tutti.rdma.QueuePairAttributes;
import org.tutti.rdma.QueuePairState;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Cases for ranks that use shared memory for some peers and another transport for others. */
final class MixedCases
{
    /** Longer than a rank spins and yields, so that it sleeps. */
    private static final long LATE_MS = 120;

    private MixedCases()
    {
    }

    /**
     * Creates ranks whose hosts are named by one letter each.
     *
     * @param hosts hosts by rank.
     * @param far   transport between hosts.
     * @param more  additional settings.
     */
    static Ranks ranks(final String hosts, final String far, final Map<String, String> more)
    {
        final Map<String, String> settings = new HashMap<>(more);
        settings.put("TUTTI_TRANSPORT", "shm+" + far);
        settings.put("TUTTI_SCRATCH", "256K");
        settings.put("TUTTI_SHM_DIR", System.getProperty("tutti.shm.dir", ""));
        return HierarchicalTest.ranks(hosts, settings);
    }

    /** Connects all pairs and checks the transport of each. */
    static void checkWays(final Ranks ranks, final String hosts, final String far)
    {
        ranks.run(communicator ->
        {
            final int rank = communicator.rank();
            final Team team = ranks.team(rank);
            for (int peer = 0; peer < hosts.length(); peer++)
            {
                final String transport = hosts.charAt(peer) == hosts.charAt(rank) ? "shm" : far;
                if (peer != rank)
                {
                    assertEquals(transport, team.device(peer).port().transport());
                }
            }
            try (DataBuffer given = communicator.allocate(DataType.INT32, 5L * hosts.length());
                DataBuffer taken = communicator.allocate(DataType.INT32, 5L * hosts.length()))
            {
                communicator.alltoall(given, taken);
            }
            communicator.barrier();
            try (Communicator ofHost = communicator.splitByHost(); Communicator all = communicator.dup())
            {
                assertEquals(hosts.chars().filter(host -> host == hosts.charAt(rank)).count(), ofHost.size());
                assertTrue(ofHost.transport().startsWith("shm/"), ofHost::transport);
                assertFalse(ofHost.transport().contains("+"), ofHost::transport);
                ofHost.barrier();
                assertEquals(communicator.transport(), all.transport());
                all.barrier();
                SplitTest.checkAllreduce(ofHost);
                SplitTest.checkAllreduce(all);
            }
        });
    }

    /** Makes calls of all collectives in sequence. */
    static void callAtRandom(final Ranks ranks, final long seed, final int calls)
    {
        ranks.run(communicator ->
        {
            final Random random = new Random(seed);
            final Random own = new Random(seed + communicator.rank());
            for (int call = 0; call < calls; call++)
            {
                if (own.nextInt(calls) == 0)
                {
                    Thread.sleep(LATE_MS);
                }
                CollectivesTest.checkRandom(communicator, random, call);
            }
        });
    }

    /** A sleeping rank is woken by a rank of its host and by one of another host. */
    static void wakeBothWays(final Ranks ranks)
    {
        final int size = ranks.communicator(0).size();
        final CyclicBarrier round = new CyclicBarrier(size);
        ranks.run(communicator ->
        {
            for (int late = 0; late < size; late++)
            {
                round.await(60, TimeUnit.SECONDS);
                for (int peer = 0; communicator.rank() == late && peer < size; peer++)
                {
                    if (peer != late)
                    {
                        ranks.awaitWaiting(peer, "awaitEvent");
                    }
                }
                communicator.barrier();
            }
        });
    }

    static void sendAndPut(final Ranks ranks, final long seed)
    {
        ranks.run(communicator ->
        {
            PointToPointCases.callAtRandom(communicator, seed);
            WindowCases.putIntoAll(communicator, 1_000);
            WindowCases.getFromAll(communicator, 1_000);
        });
    }

    /**
     * Settings with which an unreachable peer is detected soon, and rank 0 sends to rank 1 first, through the queue
     * pair: stores into memory cannot fail.
     */
    static Map<String, String> shortRetrySettings()
    {
        return Map.of("TUTTI_ACK_TIMEOUT", "12", "TUTTI_RETRY_COUNT", "1", "TUTTI_DIRECT", "0",
            "TUTTI_ALGORITHM", "barrier:0-:dissemination");
    }

    /** Breaks the connection of ranks 0 and 1: rank 0's error names the peer and the transport. */
    static void nameWhatBroke(final Ranks ranks, final String transport)
    {
        final QueuePairAttributes error = new QueuePairAttributes();
        error.state = QueuePairState.ERR;
        ranks.run(Communicator::barrier);
        ranks.team(1).connections()[0].queuePair().modify(error, QueuePairAttributeMask.STATE);

        final CollectiveException thrown =
            assertThrows(CollectiveException.class, () -> ranks.communicator(0).barrier());

        assertEquals(1, thrown.peer());
        assertTrue(thrown.getMessage().contains("on the connection to rank 1 "), thrown::getMessage);
        assertTrue(thrown.getMessage().contains(" over " + transport + "/"), thrown::getMessage);
    }
}
