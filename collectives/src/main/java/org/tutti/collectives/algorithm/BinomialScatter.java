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
 * Scatter for small data down a binomial tree in {@code ceil(log2 n)} steps: each rank receives the blocks of its
 * subtree together with its own. The root sends {@code n - 1} blocks, the minimum; inner ranks send up to
 * {@code n / 2}. Blocks go through SCRATCH, so that the root waits for no rank; the root copies them there in tree
 * order. Blocks longer than a segment are scattered segment by segment in two sets of slots, with credits from the
 * third segment on. All blocks have the same length. SCRATCH: n segments (twice that for longer blocks). The window is
 * not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class BinomialScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new TreeScatter(steps, request, KnomialTree.binomial(request.size(), request.root())).write();
        }
        if (request.isRoot())
        {
            OwnBlock.take(steps, request);
        }
        return steps.build();
    }
}
