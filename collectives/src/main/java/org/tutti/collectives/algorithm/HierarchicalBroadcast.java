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
 * Broadcast across hosts with several ranks each, down a binomial tree of hosts and, within each host, a binomial tree
 * of its ranks: each host receives the data once. It takes {@code log2 h} messages in sequence between {@code h} hosts,
 * then {@code log2 n} within hosts of {@code n} ranks. Data that fits a segment goes through SCRATCH, so that the root
 * waits for no rank; longer data goes directly to OUTPUT, segment by segment, once the child has exposed it. SCRATCH:
 * count elements if the data fits a segment, else none.
 * <p>
 * Karonis, de Supinski, Foster, Gropp, Lusk and Bresnahan, <i>Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance</i>, Proc. IPDPS 2000, doi:10.1109/IPDPS.2000.846009.
 */
final class HierarchicalBroadcast implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        TreeBroadcast.writeShortOrLong(steps, request, new HostTree(request.hosts(), request.root()));
        return steps.build();
    }
}
