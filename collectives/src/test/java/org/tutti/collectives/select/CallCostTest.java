/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.junit.jupiter.api.Test;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Compares the cost of calls by default with a golden file: the algorithm, the number of messages on the critical path,
 * the number that the busiest rank sends, and the bytes that it sends, reduces and copies. A change of the defaults or
 * of an algorithm that makes calls more expensive shows as a difference for reviewers. Unlike times, these costs are
 * the same on every machine and in every run. With {@code TUTTI_WRITE_GOLDEN=1} in the environment the test rewrites
 * the file.
 */
class CallCostTest
{
    private static final Path GOLDEN =
        Path.of(System.getProperty("tutti.root"), "collectives/src/test/resources/golden/cost-of-calls.txt");
    private static final List<Collective> COLLECTIVES = List.of(
        Collective.ALLREDUCE, Collective.BROADCAST, Collective.REDUCE, Collective.ALLGATHER, Collective.REDUCE_SCATTER,
        Collective.ALLTOALL, Collective.GATHER, Collective.SCATTER, Collective.SCAN, Collective.BARRIER);
    private static final List<HostMap> HOSTS = List.of(
        HostMap.one(2), HostMap.one(3), HostMap.one(4), HostMap.one(8), HostMap.inOrder(2, 1), HostMap.inOrder(8, 1),
        HostMap.inOrder(8, 4));
    private static final List<Integer> BYTES = List.of(8, 1 << 10, 1 << 16, 1 << 20, 1 << 24);
    private static final String HEADER = String.format(
        "%-14s %5s %5s %9s  %-20s %7s %8s %10s %10s %10s%n", "collective", "ranks", "hosts", "bytes", "algorithm",
        "depth", "messages", "sent", "reduced", "copied");

    @Test
    void shouldMatchCostsInGoldenFile() throws IOException
    {
        final StringBuilder table = new StringBuilder(HEADER);
        for (final Collective collective : COLLECTIVES)
        {
            for (final HostMap hosts : HOSTS)
            {
                for (final int bytes : collective == Collective.BARRIER ? List.of(0) : BYTES)
                {
                    table.append(row(collective, hosts, bytes));
                }
            }
        }

        if ("1".equals(System.getenv("TUTTI_WRITE_GOLDEN")))
        {
            Files.writeString(GOLDEN, table);
        }
        assertEquals(Files.readString(GOLDEN), table.toString());
    }

    /** Calls on floats; bytes are those of a buffer, or of each block. */
    private static String row(final Collective collective, final HostMap hosts, final int bytes)
    {
        final int size = hosts.size();
        final long total = collective.hasBlocks() ? (long)size * bytes : bytes;
        final Choice choice = AlgorithmSelector.of(null).choose(collective, hosts, total, OperandOrder.ANY);
        final ScheduleRequest request =
            choice.request(0, size, bytes / Float.BYTES, Float.BYTES, 0, false).withHosts(hosts);
        final List<Schedule> schedules = IntStream.range(0, size)
            .mapToObj(rank -> choice.algorithm().generate(request.withRank(rank))).toList();
        final Cost cost = Cost.of(schedules, Float.BYTES);
        return String.format("%-14s %5d %5d %9d  %-20s %7d %8d %10d %10d %10d%n",
            collective.name().toLowerCase(Locale.ROOT), size, hosts.number(), bytes, choice.algorithm().name(),
            cost.depth(), cost.messages(), cost.sent(), cost.reduced(), cost.copied());
    }
}
