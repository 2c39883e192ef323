/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/** Copies of a rank's own block, which is not sent. */
final class OwnBlock
{
    private OwnBlock()
    {
    }

    /**
     * Copies the block from INPUT to its place in OUTPUT unless the call is in place; for gathers and allgathers.
     *
     * @param steps   builder to add the step to.
     * @param request request of the rank.
     * @return the step, or -1 if there is none.
     */
    static int copy(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final Blocks blocks = request.received();
        return request.inPlace() || blocks.length(request.rank()) == 0 ? -1 :
            steps.copy(INPUT.at(0), OUTPUT.at(blocks.offset(request.rank())), blocks.length(request.rank()));
    }

    /**
     * Copies the block from its place in INPUT to OUTPUT unless the call is in place; for scatters, at the root.
     *
     * @param steps   builder to add the step to.
     * @param request request of the root.
     */
    static void take(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final Blocks blocks = request.blocks();
        if (!request.inPlace() && blocks.length(request.rank()) > 0)
        {
            steps.copy(INPUT.at(blocks.offset(request.rank())), OUTPUT.at(0), blocks.length(request.rank()));
        }
    }

    /**
     * Copies the block from its place in INPUT to its place in OUTPUT unless the call is in place; for alltoalls.
     *
     * @param steps   builder to add the step to.
     * @param request request of the rank.
     */
    static void keep(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final int rank = request.rank();
        if (!request.inPlace() && request.blocks().length(rank) > 0)
        {
            steps.copy(
                INPUT.at(request.blocks().offset(rank)), OUTPUT.at(request.received().offset(rank)),
                request.blocks().length(rank));
        }
    }
}
