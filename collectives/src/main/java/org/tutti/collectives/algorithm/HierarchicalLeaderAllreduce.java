/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allreduce for small data across hosts with several ranks each: every host reduces up a binomial tree to its leader,
 * its first rank; the leaders allreduce by recursive doubling and broadcast the result down the tree. Only the leader
 * sends to other hosts: all the data, {@code log2 h} times on {@code h} hosts, whereas in recursive doubling every rank
 * does. In return it takes {@code log2 n} more steps within hosts of {@code n} ranks. All elements are combined in the
 * same order: first the ranks of each host, then neighbouring hosts. SCRATCH: the sum over the stages. The operation
 * must commute, because inputs are combined host by host.
 * <p>
 * Karonis, de Supinski, Foster, Gropp, Lusk and Bresnahan, <i>Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance</i>, Proc. IPDPS 2000, doi:10.1109/IPDPS.2000.846009.
 */
final class HierarchicalLeaderAllreduce implements ScheduleGenerator
{
    private static final ScheduleGenerator REDUCE = new KnomialReduce(2);
    private static final ScheduleGenerator ALLREDUCE = new RecursiveDoublingAllreduce();
    private static final ScheduleGenerator BROADCAST = new KnomialBroadcast(2);

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final HostMap hosts = request.hosts();
        final int host = hosts.host(request.rank());
        final int index = hosts.index(request.rank());
        final int ranks = hosts.ranks(host);
        final int[] members = HostGroups.host(hosts, host);
        final Composition steps = new Composition(request);
        final Composition.Place whole = new Composition.Place(INPUT.at(0), 0);
        if (hosts.largest() > 1)
        {
            if (ranks > 1)
            {
                steps.add(
                    REDUCE.generate(stage(request, ranks, request.inPlace()).withRank(index)), members, whole,
                    hosts.number() == 1);
            }
            steps.reserve(HostGroups.scratch(hosts, REDUCE, (number) -> stage(request, number, false)));
        }
        if (hosts.number() > 1 || hosts.largest() == 1)
        {
            final ScheduleRequest between = stage(request, hosts.number(), ranks > 1 || request.inPlace());
            if (index == 0)
            {
                steps.add(
                    ALLREDUCE.generate(between.withRank(host)), HostGroups.rail(hosts, 0),
                    ranks > 1 ? new Composition.Place(OUTPUT.at(0), 0) : whole, true);
            }
            steps.reserve(ALLREDUCE.generate(between).scratchCount());
        }
        if (hosts.largest() > 1)
        {
            if (ranks > 1)
            {
                steps.add(BROADCAST.generate(stage(request, ranks, true).withRank(index)), members, whole, false);
            }
            steps.reserve(HostGroups.scratch(hosts, BROADCAST, (number) -> stage(request, number, true)));
        }
        return steps.build();
    }

    private static ScheduleRequest stage(final ScheduleRequest request, final int size, final boolean inPlace)
    {
        return new ScheduleRequest(0, size, request.count(), 0, inPlace, request.segment(), request.window());
    }
}
