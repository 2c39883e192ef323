/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Reduce across hosts with several ranks each: up a binomial tree of each host's ranks to one of them, and from there
 * up a binomial tree of hosts, so each host sends one sum. Segments are pipelined. SCRATCH:
 * {@code (log2 h + log2 n + 1) * window} segments on {@code h} hosts of up to {@code n} ranks. The operation must
 * commute, because inputs are combined host by host.
 * <p>
 * Karonis, de Supinski, Foster, Gropp, Lusk and Bresnahan, <i>Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance</i>, Proc. IPDPS 2000, doi:10.1109/IPDPS.2000.846009.
 */
final class HierarchicalReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
        }
        final HostTree tree = new HostTree(request.hosts(), request.root());
        final TreeReduce reduce = new TreeReduce(steps, request, tree, tree.maxChildren());
        for (int i = 0; i < reduce.segments(); i++)
        {
            reduce.reduce(i);
        }
        return steps.build();
    }
}
