/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Ranks that do a stage of a composition: those of a host, and one of each host. */
final class HostGroups
{
    private HostGroups()
    {
    }

    /** The ranks of a host, by index. */
    static int[] host(final HostMap hosts, final int host)
    {
        return IntStream.range(0, hosts.ranks(host)).map((index) -> hosts.rank(host, index)).toArray();
    }

    /** A rail: of each host the rank with one index, which all hosts have. */
    static int[] rail(final HostMap hosts, final int index)
    {
        return IntStream.range(0, hosts.number()).map((host) -> hosts.rank(host, index)).toArray();
    }

    /**
     * The rank of another host that serves the block of a rank: the one with that rank's index, modulo how many there
     * are.
     *
     * @param hosts all.
     * @param other host.
     * @param index index of the rank whose block it is, on its own host.
     */
    static int counterpart(final HostMap hosts, final int other, final int index)
    {
        return hosts.rank(other, index % hosts.ranks(other));
    }

    /**
     * The ranks whose blocks a rank serves: itself, and those of other hosts whose {@link #counterpart} it is.
     *
     * @param hosts all.
     * @param host  host of the rank.
     * @param index index of the rank there.
     * @return by host, then by index.
     */
    static List<Integer> served(final HostMap hosts, final int host, final int index)
    {
        final List<Integer> served = new ArrayList<>();
        for (int other = 0; other < hosts.number(); other++)
        {
            final int end = other == host ? index + 1 : hosts.ranks(other);
            for (int i = index; i < end; i += hosts.ranks(host))
            {
                served.add(hosts.rank(other, i));
            }
        }
        return served;
    }

    /**
     * The SCRATCH that a stage within hosts takes on the host where it takes most.
     *
     * @param hosts     all.
     * @param algorithm algorithm of the stage.
     * @param requests  gives that of the first rank of so many.
     * @return elements.
     */
    static long scratch(
        final HostMap hosts, final ScheduleGenerator algorithm, final IntFunction<ScheduleRequest> requests)
    {
        return IntStream.range(0, hosts.number()).map(hosts::ranks).distinct()
            .mapToLong((ranks) -> algorithm.generate(requests.apply(ranks)).scratchCount()).max().orElse(0);
    }
}
