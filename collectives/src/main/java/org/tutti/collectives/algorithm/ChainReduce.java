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
 * Reduce for large data along a chain: segment by segment, each rank adds its input to the sum that it receives from
 * the next rank, and forwards the result towards the root. Each rank sends the data at most once; {@code s} segments
 * take {@code s + n - 2} steps. SCRATCH: {@code 2 * window * segment} elements. For most roots, inputs are not combined
 * in rank order, so the operation must commute.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there: pipeline).
 */
final class ChainReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
        }
        final ChainTree tree = new ChainTree(request.size(), request.root());
        final TreeReduce reduce = new TreeReduce(steps, request, tree, 1);
        for (int i = 0; i < reduce.segments(); i++)
        {
            reduce.reduce(i);
        }
        return steps.build();
    }
}
