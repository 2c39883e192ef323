/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.ScheduleBuilder;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Sums, in rank order, this rank's INPUT and the blocks that all other ranks have written into slots of SCRATCH, one
 * slot per rank. Intermediate sums go to the rank's own slot, to which no other rank writes.
 *
 * @param steps      builder to add steps to.
 * @param rank       rank that sums.
 * @param slotLength distance between slots in elements.
 */
record RankOrderSum(ScheduleBuilder steps, int rank, long slotLength)
{
    /**
     * Writes the steps.
     *
     * @param slots   offset of the slots in SCRATCH.
     * @param arrived by rank: the step after which its slot is filled; -1 for this rank.
     * @param offset  offset of the elements in INPUT and of their sum in OUTPUT.
     * @param count   elements.
     * @param last    steps that must be done before OUTPUT is written.
     * @return the step after which the sum is in OUTPUT.
     */
    int write(final long slots, final int[] arrived, final long offset, final long count, final StepList last)
    {
        Location sum = operand(0, slots, offset);
        int ready = arrived[0];
        for (int peer = 1; peer < arrived.length; peer++)
        {
            final boolean isLast = peer == arrived.length - 1;
            final Location destination = isLast ? OUTPUT.at(offset) : SCRATCH.at(slots + rank * slotLength);
            final StepList after = new StepList();
            after.add(ready);
            after.add(arrived[peer]);
            if (isLast)
            {
                after.addAll(last);
            }
            ready = steps.reduce(sum, operand(peer, slots, offset), destination, count, isLast, after.toArray());
            sum = destination;
        }
        return ready;
    }

    private Location operand(final int peer, final long slots, final long offset)
    {
        return peer == rank ? INPUT.at(offset) : SCRATCH.at(slots + peer * slotLength);
    }
}
