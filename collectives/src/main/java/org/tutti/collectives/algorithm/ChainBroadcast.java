/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.ChainTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Broadcast for large data along a chain: from the root on, each rank forwards segments to the next rank. Each rank
 * sends the data at most once; {@code s} segments take {@code s + n - 2} steps. Data goes directly to OUTPUT. No
 * SCRATCH.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there: pipeline).
 */
final class ChainBroadcast implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        TreeBroadcast.write(steps, request, new ChainTree(request.size(), request.root()));
        return steps.build();
    }
}
