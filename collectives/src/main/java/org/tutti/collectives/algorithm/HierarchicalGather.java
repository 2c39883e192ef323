/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.HostFanTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Gather for small data across hosts with several ranks each: the ranks of a host send their blocks to the host's
 * leader, which sends them on together, so one message leaves each host. Up to eight hosts send to the root directly,
 * more up a tree of radix 8, in which each element is sent between hosts {@code log8 h} times at most. Blocks are
 * collected in SCRATCH, so that no rank waits for the root. Blocks longer than a segment are gathered segment by
 * segment in two sets of slots, with credits from the third segment on. All blocks have the same length. SCRATCH: n
 * segments (twice that for longer blocks). The window is not used.
 * <p>
 * Luo, Wu, Bosilca, Pei, Cao, Patinyasakdikul, Zhong and Dongarra, <i>HAN: a Hierarchical AutotuNed Collective
 * Communication Framework</i>, IEEE Cluster 2020, doi:10.1109/CLUSTER49012.2020.00013.
 */
final class HierarchicalGather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new TreeGather(steps, request, new HostFanTree(request.hosts(), request.root())).write();
        }
        if (request.isRoot())
        {
            OwnBlock.copy(steps, request);
        }
        return steps.build();
    }
}
