/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.InOrderTree;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce in rank order, for operations that do not commute: sums go up a binary tree, whose in-order traversal is rank
 * order, to rank 0, which sends the results to the root. One segment takes at most {@code ceil(log2 n) + 1} steps;
 * segments are pipelined, and a rank receives the data at most twice. SCRATCH: {@code 3 * window * segment} elements.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there: in-order binary).
 */
final class InOrderTreeReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        return generate(request, new InOrderTree(request.size()), 2);
    }

    /**
     * Generates the schedule of one rank for any tree that keeps rank order and has rank 0 as its root.
     *
     * @param request     request of the rank.
     * @param tree        tree of all ranks.
     * @param maxChildren largest number of children of a rank.
     * @return the schedule.
     */
    static Schedule generate(
        final ScheduleRequest request, final Tree tree, final int maxChildren)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
        }
        final TreeReduce reduce = new TreeReduce(steps, request, tree, maxChildren);
        final boolean isReceiver = request.isRoot() && request.root() != 0;
        final boolean isSender = request.rank() == 0 && request.root() != 0;
        final int number = reduce.segments();
        if (isReceiver && number > 0)
        {
            steps.expose(0, Channels.EXPOSE);
        }
        int exposed = -1;
        for (int i = 0; i < number; i++)
        {
            if (isReceiver && i >= request.window())
            {
                receive(steps, request, i - request.window(), number);
            }
            final int ready = reduce.reduce(i);
            if (isSender)
            {
                exposed = exposed < 0 ? steps.await(request.root(), Channels.EXPOSE) : exposed;
                final int credit = i < request.window() ? -1 : steps.await(request.root(), Channels.DOWN_CREDIT);
                final long offset = i * request.segment();
                reduce.sumIsSentBy(i, steps.put(
                    request.root(), Channels.DOWN, SCRATCH.at(reduce.sumOffset(i)), OUTPUT.at(offset),
                    Math.min(request.segment(), request.count() - offset), ready, exposed, credit));
            }
        }
        for (int i = Math.max(0, number - request.window()); isReceiver && i < number; i++)
        {
            receive(steps, request, i, number);
        }
        return steps.build();
    }

    /** Receives a sum from rank 0, which may be a window ahead. */
    private static void receive(
        final ScheduleBuilder steps, final ScheduleRequest request, final int index, final int number)
    {
        final int arrived = steps.await(0, Channels.DOWN);
        if (index + request.window() < number)
        {
            steps.signal(0, Channels.DOWN_CREDIT, arrived);
        }
    }
}
