/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.ScheduleBuilder;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Sums up what all other ranks have written into slots of SCRATCH, one per rank, and this rank's own INPUT, in the
 * order of ranks. The rank's own slot, which nobody else writes, takes the sums in between.
 */
final class RankOrderSum
{
    private RankOrderSum()
    {
    }

    /**
     * Writes the steps.
     *
     * @param steps   gets them.
     * @param rank    whose.
     * @param arrived by rank: the step after which its slot is filled; -1 for this one.
     * @param slots   where in SCRATCH the slots begin.
     * @param slot    elements from one to the next.
     * @param offset  where this rank's part of INPUT begins, and that of OUTPUT for the sum.
     * @param length  elements.
     * @param last    steps that must be done before OUTPUT is written.
     * @return the step after which the sum is in OUTPUT.
     */
    @SuppressWarnings("checkstyle:ParameterNumber")
    static int write(
        final ScheduleBuilder steps, final int rank, final int[] arrived, final long slots, final long slot,
        final long offset, final long length, final StepList last)
    {
        BufferId sum = rank == 0 ? INPUT : SCRATCH;
        long sumOffset = rank == 0 ? offset : slots;
        int ready = arrived[0];
        for (int peer = 1; peer < arrived.length; peer++)
        {
            final boolean isLast = peer == arrived.length - 1;
            final BufferId destination = isLast ? OUTPUT : SCRATCH;
            final long destOffset = isLast ? offset : slots + rank * slot;
            final StepList after = new StepList();
            after.add(ready);
            after.add(arrived[peer]);
            if (isLast)
            {
                after.addAll(last);
            }
            ready = steps.reduce(
                sum, sumOffset, peer == rank ? INPUT : SCRATCH, peer == rank ? offset : slots + peer * slot,
                destination, destOffset, length, isLast, after.toArray());
            sum = destination;
            sumOffset = destOffset;
        }
        return ready;
    }
}
