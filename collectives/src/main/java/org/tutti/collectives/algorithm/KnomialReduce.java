/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Reduce for small data up a k-nomial tree of {@code ceil(log_k n)} levels; on each level a rank receives and reduces
 * {@code k - 1} times. <i>binomial</i> has k = 2 and the fewest reductions in sequence; <i>knomial_4</i> has fewer
 * levels. SCRATCH: {@code ((k - 1) ceil(log_k n) + 1) * window} segments. In general, inputs are not combined in rank
 * order, so the operation must commute.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (binomial).
 *
 * @param radix k, at least 2.
 */
record KnomialReduce(int radix) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
        }
        final KnomialTree tree = new KnomialTree(request.size(), request.root(), radix);
        final TreeReduce reduce = new TreeReduce(steps, request, tree, tree.children(request.root()).length);
        for (int i = 0; i < reduce.segments(); i++)
        {
            reduce.reduce(i);
        }
        return steps.build();
    }
}
