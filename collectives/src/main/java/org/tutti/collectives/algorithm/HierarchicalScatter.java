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
 * Scatter for small data across hosts with several ranks each: each host's leader gets the blocks of all ranks of the
 * host in one message, and passes them on within the host. The root sends to up to eight hosts directly, to more down a
 * tree of radix 8, in which each element is sent between hosts {@code log8 h} times at most. Blocks go through SCRATCH,
 * so that the root waits for no rank; the root copies them there host by host. Blocks longer than a segment are
 * scattered segment by segment in two sets of slots, with credits from the third segment on. All blocks have the same
 * length. SCRATCH: n segments (twice that for longer blocks). The window is not used.
 * <p>
 * Luo, Wu, Bosilca, Pei, Cao, Patinyasakdikul, Zhong and Dongarra, <i>HAN: a Hierarchical AutotuNed Collective
 * Communication Framework</i>, IEEE Cluster 2020, doi:10.1109/CLUSTER49012.2020.00013.
 */
final class HierarchicalScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new TreeScatter(steps, request, new HostFanTree(request.hosts(), request.root())).write();
        }
        if (request.isRoot())
        {
            OwnBlock.take(steps, request);
        }
        return steps.build();
    }
}
