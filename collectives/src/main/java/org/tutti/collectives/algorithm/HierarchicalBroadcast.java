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
 * Broadcast on hosts with several ranks each, down a binomial tree of hosts and, below one rank of each, a binomial
 * tree of its ranks: the data come to every host once. {@code log2 h} messages one after the other between {@code h}
 * hosts, then {@code log2 n} within those of {@code n} ranks.
 * <p>
 * Karonis, de Supinski, Foster, Gropp, Lusk and Bresnahan, <i>Exploiting hierarchy in parallel computer networks to
 * optimize collective operation performance</i>, Proc. IPDPS 2000, doi:10.1109/IPDPS.2000.846009.
 * <p>
 * What fits one segment goes through SCRATCH, so that the root waits for no rank; what does not goes straight into
 * OUTPUT once the rank below has exposed it, segment by segment.
 * <p>
 * SCRATCH: count, if that is no more than a segment, else 0. No restrictions.
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
