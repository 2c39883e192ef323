/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tutti.bootstrap.Bootstrap;
import org.tutti.bootstrap.InMemoryBootstrap;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.comm.InterceptedBootstrap;
import org.tutti.collectives.comm.Ranks;
import org.tutti.collectives.endpoint.Connection;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the connections that exist before the first call. */
@Timeout(120)
class EarlyConnectionsTest
{
    private static final Map<String, String> SHM = Map.of("TUTTI_TRANSPORT", "shm");

    @ParameterizedTest
    @ValueSource(ints = { 1, 2, 3, 4, 5, 6, 7, 8, 11 })
    void shouldConnectRanksAtPowerOfTwoDistances(final int size)
    {
        try (Ranks ranks = Ranks.of(Collections.nCopies(size, SHM)))
        {
            for (int rank = 0; rank < size; rank++)
            {
                final Connection[] connections = ranks.team(rank).connections();
                for (int peer = 0; peer < size; peer++)
                {
                    final int distance = Math.floorMod(peer - rank, size);
                    final boolean isLikely =
                        peer != rank && (Integer.bitCount(distance) == 1 || Integer.bitCount(size - distance) == 1);
                    assertEquals(isLikely, connections[peer] != null && connections[peer].isJoined(),
                        "rank " + rank + " and " + peer + " of " + size);
                }
            }
            assertSums(ranks, size);
        }
    }

    @Test
    void shouldConnectOnFirstCallWhenPeerSendsNoQueuePairs()
    {
        final List<Bootstrap> bootstraps = new ArrayList<>(InMemoryBootstrap.group(3));
        bootstraps.set(1, withoutQueuePairs(bootstraps.get(1)));

        try (Ranks ranks = new Ranks(bootstraps, Collections.nCopies(3, SHM)))
        {
            assertFalse(ranks.team(0).connections()[1].isJoined());
            assertTrue(ranks.team(0).connections()[2].isJoined());
            assertSums(ranks, 3);
        }
    }

    private static void assertSums(final Ranks ranks, final int size)
    {
        ranks.run(communicator ->
        {
            for (int call = 0; call < 3; call++)
            {
                final int[] value = { communicator.rank() };
                communicator.allreduce(value, ReduceOp.SUM);
                assertArrayEquals(new int[] { IntStream.range(0, size).sum() }, value);
            }
        });
    }

    /** Neither sends nor receives queue pairs, as a rank that has more devices than the others. */
    private static Bootstrap withoutQueuePairs(final Bootstrap bootstrap)
    {
        return InterceptedBootstrap.of(bootstrap, (method, arguments, call) ->
        {
            if (method.equals("allgather") && arguments[0].equals("endpoints"))
            {
                final List<byte[]> heard = bootstrap.allgather(
                    "endpoints", withoutQueuePairs((byte[])arguments[1]), (long)arguments[2]);
                return heard.stream().map(EarlyConnectionsTest::withoutQueuePairs).toList();
            }
            return call.with(arguments);
        });
    }

    private static byte[] withoutQueuePairs(final byte[] encoded)
    {
        return EndpointCodec.encode(EndpointCodec.decode(encoded).stream().map(record -> new EndpointRecord(
            record.transport(), record.network(), record.device(), record.host(), record.hostId(), record.port(),
            record.mtu(), record.mbit(), record.lid(), record.gid(), record.psn(), List.of(), record.regions(),
            record.settings())).toList());
    }
}
