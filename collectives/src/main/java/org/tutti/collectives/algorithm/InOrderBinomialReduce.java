/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.FoldedTree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Reduce in the order of ranks, up a binomial tree to rank 0, which hands the sums on to the root. Neighbours come
 * first, as in recursive doubling, so that every element has the bits that an allreduce by that gives it, at whatever
 * root. {@code ceil(log2 n) + 1} steps for one segment; pipelined by segments, rank 0 receives the data that many
 * times.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 * <p>
 * SCRATCH: {@code (ceil(log2 n) + 1) * window * segment} elements. No restrictions.
 */
final class InOrderBinomialReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final FoldedTree tree = new FoldedTree(request.size());
        return InOrderTreeReduce.generate(request, tree, tree.mostChildren());
    }
}
