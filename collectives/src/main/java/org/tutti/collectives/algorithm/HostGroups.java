/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Ranks that do a part of a composition: those of a host, and one of each host. */
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

    /** Of each host the rank with an index that all have. */
    static int[] rail(final HostMap hosts, final int index)
    {
        return IntStream.range(0, hosts.number()).map((host) -> hosts.rank(host, index)).toArray();
    }

    /**
     * The SCRATCH that a part in the hosts takes on the host where it takes most.
     *
     * @param hosts     all.
     * @param algorithm of the part.
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
