/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BinomialTree;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Reduce of small data up a binomial tree, in {@code ceil(log2 n)} steps; the root receives and reduces as many times.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 * <p>
 * SCRATCH: {@code (ceil(log2 n) + 1) * window} segments. Inputs are in the order of ranks that begins with the root,
 * in no particular grouping: the operation must commute.
 */
public final class BinomialReduce implements ScheduleGenerator
{
    @Override
    public String name()
    {
        return "binomial";
    }

    @Override
    public Collective collective()
    {
        return Collective.REDUCE;
    }

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(name(), request);
        if (request.size() == 1)
        {
            return OneRank.copy(steps, request);
        }
        final BinomialTree tree = new BinomialTree(request.size(), request.root());
        final TreeReduce reduce = new TreeReduce(steps, request, tree, tree.children(request.root()).length);
        for (int i = 0; i < reduce.segments(); i++)
        {
            reduce.reduce(i);
        }
        return steps.build();
    }
}
