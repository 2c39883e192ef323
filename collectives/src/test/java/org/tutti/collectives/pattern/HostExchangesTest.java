/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class HostExchangesTest
{
    @ParameterizedTest
    @CsvSource({"8, 2, 1, 3", "8, 4, 4, 1", "12, 4, 2, 2", "64, 8, 1, 7", "24, 8, 4, 2"})
    void shouldDivideMessagesAmongTheRanksOfAHost(
        final int size, final int ranksPerHost, final int perPair, final int hosts)
    {
        final HostMap map = HostMap.inOrder(size, ranksPerHost);
        final HostExchanges exchanges = new HostExchanges(map);
        final List<HostExchange> all = IntStream.range(0, ranksPerHost).boxed()
            .flatMap((index) -> exchanges.of(0, index).stream()).toList();

        assertEquals(perPair * hosts, all.size());
        for (int host = 1; host <= hosts; host++)
        {
            final int other = host;
            assertEquals(perPair, all.stream().filter((exchange) -> exchange.host() == other).count());
        }
        final int most = Math.ceilDiv(all.size(), ranksPerHost);
        for (int index = 0; index < ranksPerHost; index++)
        {
            assertTrue(exchanges.of(0, index).size() <= most);
        }
    }

    @Test
    void shouldExchangeTheBlocksOfEveryPairOfRanksOnceForAnyPlacement()
    {
        final long seed = Long.getLong("tutti.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int run = 0; run < 300; run++)
        {
            final int size = 1 + random.nextInt(24);
            final int hosts = 1 + random.nextInt(size);
            final HostMap map = HostMap.of(IntStream.range(0, size).mapToObj((rank) -> random.nextInt(hosts)).toList());

            assertAllPairs(map, "seed=" + seed + " run=" + run + " " + map);
        }
    }

    private static void assertAllPairs(final HostMap map, final String text)
    {
        final HostExchanges exchanges = new HostExchanges(map);
        final int[][] sent = new int[map.number()][map.size()];
        for (int rank = 0; rank < map.size(); rank++)
        {
            final int self = rank;
            final int host = map.host(rank);
            long most = 0;
            long mostReceived = 0;
            for (final HostExchange exchange : exchanges.of(host, map.index(rank)))
            {
                final List<HostExchange> back = exchanges.of(exchange.host(), map.index(exchange.peer())).stream()
                    .filter((other) -> other.peer() == self).toList();
                assertEquals(1, back.size(), text);
                assertEquals(host, back.getFirst().host(), text);
                assertEquals(exchange.receivedFrom(), back.getFirst().sentFrom(), text);
                assertEquals(exchange.receivedTo(), back.getFirst().sentTo(), text);
                assertTrue(exchange.sentFrom() < exchange.sentTo(), text);
                for (int index = exchange.sentFrom(); index < exchange.sentTo(); index++)
                {
                    sent[host][map.rank(exchange.host(), index)]++;
                }
                mostReceived +=
                    (long)map.ranks(exchange.host()) * (exchange.receivedTo() - exchange.receivedFrom());
                most += (long)map.ranks(host) * (exchange.sentTo() - exchange.sentFrom());
            }
            assertTrue(most <= exchanges.mostSent(), text);
            assertTrue(mostReceived <= exchanges.mostReceived(), text);
        }
        for (int host = 0; host < map.number(); host++)
        {
            for (int rank = 0; rank < map.size(); rank++)
            {
                assertEquals(map.host(rank) == host ? 0 : 1, sent[host][rank], text);
            }
        }
    }
}
