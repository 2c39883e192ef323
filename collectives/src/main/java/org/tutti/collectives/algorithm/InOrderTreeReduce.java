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
 * Reduce in the order of ranks, up a binary tree whose in-order walk is that order, to rank 0, which hands the sums on
 * to the root: for operations that do not commute. At most {@code ceil(log2 n) + 1} steps for one segment; pipelined by
 * segments, a rank receives the data twice at most.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there: in-order binary).
 * <p>
 * SCRATCH: 3 * window * segment elements. No restrictions.
 */
final class InOrderTreeReduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        return generate(request, new InOrderTree(request.size()), 2);
    }

    /**
     * Makes the schedule of one rank for any tree that keeps the order of ranks, and has rank 0 at the top.
     *
     * @param request     request of the rank.
     * @param tree        all ranks are in.
     * @param maxChildren the most that a rank has below it.
     * @return the schedule.
     */
    static Schedule generate(
        final ScheduleRequest request, final Tree tree, final int maxChildren)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return OneRank.copy(steps, request);
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

    /** Takes a sum that rank 0 has written; it may be a window ahead. */
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
