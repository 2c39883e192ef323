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
 * Broadcast of small and medium data down a k-nomial tree, in {@code ceil(log_k n)} levels, on each of which a rank
 * sends the data to {@code k - 1} others: binomial is k = 2, with the fewest messages one after the other; a larger k
 * has fewer levels, and pays where a message takes long to arrive but not to send.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (binomial); Bar-Noy and
 * Kipnis, <i>Designing broadcasting algorithms in the postal model for message-passing systems</i>, Mathematical
 * Systems Theory 27, 1994, doi:10.1007/BF01184933 (why more at once, the longer the latency).
 * <p>
 * What fits one segment goes through SCRATCH, so that the root waits for no rank; what does not goes straight into
 * OUTPUT once the rank below has exposed it, segment by segment.
 * <p>
 * SCRATCH: count, if that is no more than a segment, else 0. No restrictions.
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
