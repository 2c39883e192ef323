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

/** Groups of ranks that execute a stage of a {@link Composition}: the ranks of a host, or one rank of each host. */
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

    /** A rail: the ranks with the same index on all hosts. All hosts must have that index. */
    static int[] rail(final HostMap hosts, final int index)
    {
        return IntStream.range(0, hosts.number()).map((host) -> hosts.rank(host, index)).toArray();
    }

    /**
     * Returns the rank of another host that serves a rank's block: the one with that rank's index, modulo the number of
     * ranks on the other host.
     *
     * @param hosts all hosts.
     * @param other the other host.
     * @param index index, on its own host, of the rank whose block it is.
     */
    static int counterpart(final HostMap hosts, final int other, final int index)
    {
        return hosts.rank(other, index % hosts.ranks(other));
    }

    /**
     * Returns the ranks whose blocks a rank serves: itself, and those of other hosts whose {@link #counterpart} it is.
     *
     * @param hosts all hosts.
     * @param host  host of the rank.
     * @param index index of the rank on its host.
     * @return ranks by host, then by index.
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
     * Returns how much SCRATCH a stage within hosts needs on the host that needs the most.
     *
     * @param hosts     all hosts.
     * @param algorithm algorithm of the stage.
     * @param requests  function from a number of ranks to the request of rank 0.
     * @return number of elements.
     */
    static long scratch(
        final HostMap hosts, final ScheduleGenerator algorithm, final IntFunction<ScheduleRequest> requests)
    {
        return IntStream.range(0, hosts.number()).map(hosts::ranks).distinct()
            .mapToLong((ranks) -> algorithm.generate(requests.apply(ranks)).scratchCount()).max().orElse(0);
    }
}
