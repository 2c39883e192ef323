/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/** Schedules for a single rank. */
final class SingleRank
{
    private SingleRank()
    {
    }

    /**
     * Copies INPUT to OUTPUT unless the call is in place.
     *
     * @param steps   builder without steps.
     * @param request request of size 1.
     * @return the schedule.
     */
    static Schedule copy(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        if (!request.inPlace() && request.count() > 0)
        {
            steps.copy(INPUT.at(0), OUTPUT.at(0), request.count());
        }
        return steps.build();
    }
}
