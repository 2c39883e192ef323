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

/** The block that a rank has for itself, which does not travel. */
final class OwnBlock
{
    private OwnBlock()
    {
    }

    /**
     * Copies it to its place in OUTPUT, if it is not there: in collectives that gather.
     *
     * @param steps   gets the step.
     * @param request request of the rank.
     * @return the step, or -1.
     */
    static int copy(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final Blocks blocks = request.received();
        return request.inPlace() || blocks.length(request.rank()) == 0 ? -1 :
            steps.copy(INPUT.at(0), OUTPUT.at(blocks.offset(request.rank())), blocks.length(request.rank()));
    }

    /**
     * Copies it from its place in INPUT, if that is not where it belongs: at the root of a scatter.
     *
     * @param steps   gets the step.
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
     * Copies it from its place in INPUT to that in OUTPUT, if they differ: where both have blocks.
     *
     * @param steps   gets the step.
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
