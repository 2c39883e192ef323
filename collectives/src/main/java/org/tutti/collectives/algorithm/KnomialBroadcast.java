/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Broadcast for small and medium data down a k-nomial tree of {@code ceil(log_k n)} levels; on each level a rank sends
 * the data to {@code k - 1} others. <i>binomial</i> has k = 2 and the fewest messages in sequence; <i>knomial_4</i> has
 * fewer levels, which is faster where latency is long compared with the time to send. Data that fits a segment goes
 * through SCRATCH, so that the root waits for no rank; longer data goes directly to OUTPUT, segment by segment, once
 * the child has exposed it. SCRATCH: count elements if the data fits a segment, else none.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (binomial); Bar-Noy and
 * Kipnis, <i>Designing broadcasting algorithms in the postal model for message-passing systems</i>, Mathematical
 * Systems Theory 27, 1994, doi:10.1007/BF01184933 (a wider tree for longer latency).
 *
 * @param radix k, at least 2.
 */
record KnomialBroadcast(int radix) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        final Tree tree = new KnomialTree(request.size(), request.root(), radix);
        TreeBroadcast.writeShortOrLong(steps, request, tree);
        return steps.build();
    }
}
