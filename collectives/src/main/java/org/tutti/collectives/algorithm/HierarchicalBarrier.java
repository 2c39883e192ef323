/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.DisseminationPattern;
import org.tutti.collectives.pattern.HostMap;
import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Barrier across hosts with several ranks each: up a binomial tree of each host's ranks, dissemination between the
 * first ranks of the hosts, and down the trees. Only one rank of a host signals other hosts, {@code ceil(log2 h)} times
 * on {@code h} hosts. No elements, no SCRATCH.
 * <p>
 * Mellor-Crummey and Scott, <i>Algorithms for scalable synchronization on shared-memory multiprocessors</i>, ACM
 * Transactions on Computer Systems 9(1), 1991, doi:10.1145/103727.103729 (trees); Hensgen, Finkel and Manber, <i>Two
 * algorithms for barrier synchronization</i>, International Journal of Parallel Programming 17(1), 1988,
 * doi:10.1007/BF01379320 (dissemination).
 */
final class HierarchicalBarrier implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        final HostMap hosts = request.hosts();
        final int host = hosts.host(request.rank());
        final int index = hosts.index(request.rank());
        final KnomialTree tree = KnomialTree.binomial(hosts.ranks(host), 0);
        int received = -1;
        for (final int child : tree.children(index))
        {
            received = steps.await(hosts.rank(host, child), Channels.UP, received);
        }
        if (index > 0)
        {
            final int parent = hosts.rank(host, tree.parent(index));
            steps.signal(parent, Channels.UP, received);
            received = steps.await(parent, Channels.DOWN, received);
        }
        else
        {
            final DisseminationPattern pattern = new DisseminationPattern(host, hosts.number());
            for (int round = 0; round < pattern.rounds(); round++)
            {
                steps.signal(hosts.rank(pattern.to(round), 0), Channels.DATA, received);
                received = steps.await(hosts.rank(pattern.from(round), 0), Channels.DATA, received);
            }
        }
        for (final int child : tree.children(index))
        {
            steps.signal(hosts.rank(host, child), Channels.DOWN, received);
        }
        return steps.build();
    }
}
