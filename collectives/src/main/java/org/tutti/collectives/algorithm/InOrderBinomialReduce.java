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
 * Reduce in rank order up a binomial tree to rank 0, which sends the sums to the root. Neighbours are combined first,
 * so every element gets the same bits as from the allreduce by recursive doubling, for any root. One segment takes
 * {@code ceil(log2 n) + 1} steps; segments are pipelined, and rank 0 receives the data {@code ceil(log2 n)} times.
 * SCRATCH: {@code (ceil(log2 n) + 1) * window * segment} elements.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class InOrderBinomialReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final FoldedTree tree = new FoldedTree(request.size());
        return InOrderTreeReduce.generate(request, tree, tree.maxChildren());
    }
}
