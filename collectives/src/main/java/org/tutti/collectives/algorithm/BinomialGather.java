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
 * Gather for small data up a binomial tree in {@code ceil(log2 n)} steps: each rank collects the blocks of its subtree
 * and sends them on together. The root receives {@code n - 1} blocks, the minimum; inner ranks receive up to
 * {@code n / 2}. Blocks are collected in SCRATCH, so that no rank waits for the root. Blocks longer than a segment are
 * gathered segment by segment in two sets of slots, with credits from the third segment on. All blocks have the same
 * length. SCRATCH: n segments (twice that for longer blocks). The window is not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class BinomialGather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new TreeGather(steps, request, KnomialTree.binomial(request.size(), request.root())).write();
        }
        if (request.isRoot())
        {
            OwnBlock.copy(steps, request);
        }
        return steps.build();
    }
}
