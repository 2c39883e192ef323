/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;
import java.util.List;

/** The range of each rank's OUTPUT that each peer may PUT into, to which the offsets of these PUTs are relative. */
final class Exposures
{
    private static final int NONE = -1;

    private final List<Schedule> schedules;
    private final int[][] steps;

    /**
     * Finds the exposures; of several from one rank to another, uses the last, and {@link ArrivalCheck} reports them.
     *
     * @param schedules schedules of all ranks.
     */
    Exposures(final List<Schedule> schedules)
    {
        this.schedules = schedules;
        steps = new int[schedules.size()][schedules.size()];
        for (int rank = 0; rank < steps.length; rank++)
        {
            Arrays.fill(steps[rank], NONE);
            final Schedule schedule = schedules.get(rank);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                final int peer = schedule.peer(step);
                if (schedule.kind(step) == StepKind.SIGNAL && schedule.flag(step) && 0 <= peer && peer < steps.length)
                {
                    steps[rank][peer] = step;
                }
            }
        }
    }

    /**
     * Returns the offset in the peer's buffer that a PUT writes.
     *
     * @return offset of the first element.
     */
    long destination(final int rank, final int put)
    {
        final Schedule schedule = schedules.get(rank);
        final int step = exposure(schedule, rank, put);
        return schedule.destinationOffset(put) +
            (step == NONE ? 0 : schedules.get(schedule.peer(put)).sourceOffset(step));
    }

    /**
     * Returns the length of the range in the peer's buffer that a PUT may write.
     *
     * @return number of elements, or {@link Schedule#ALL}.
     */
    long room(final int rank, final int put)
    {
        final Schedule schedule = schedules.get(rank);
        final int step = exposure(schedule, rank, put);
        return step == NONE ? Schedule.ALL : schedules.get(schedule.peer(put)).count(step);
    }

    private int exposure(final Schedule schedule, final int rank, final int put)
    {
        return schedule.destination(put) == BufferId.OUTPUT ? steps[schedule.peer(put)][rank] : NONE;
    }
}
