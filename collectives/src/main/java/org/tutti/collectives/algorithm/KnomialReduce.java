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
 * Reduce of small data up a k-nomial tree, in {@code ceil(log_k n)} levels, on each of which a rank receives and
 * reduces {@code k - 1} times: binomial is k = 2, with the fewest reductions one after the other; a larger k has fewer
 * levels.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (binomial).
 * <p>
 * SCRATCH: {@code ((k - 1) ceil(log_k n) + 1) * window} segments. Inputs are in the order of ranks that begins with the
 * root, in no particular grouping: the operation must commute.
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
            return OneRank.copy(steps, request);
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
