/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;

/** Compares schedules. */
final class SchedulePairs
{
    private SchedulePairs()
    {
    }

    /** Whether all steps are the same; INPUT and OUTPUT are, in place. */
    static boolean isSame(final Schedule first, final Schedule second)
    {
        boolean same = first.stepCount() == second.stepCount() && first.request().equals(second.request());
        for (int step = 0; same && step < first.stepCount(); step++)
        {
            same = isSameStep(first, second, step);
        }
        return same;
    }

    private static boolean isSameStep(final Schedule first, final Schedule second, final int step)
    {
        boolean same = first.kind(step) == second.kind(step) &&
            first.peer(step) == second.peer(step) &&
            first.channel(step) == second.channel(step) &&
            isSameBuffer(first, first.source(step), second.source(step)) &&
            first.sourceOffset(step) == second.sourceOffset(step) &&
            isSameBuffer(first, first.secondSource(step), second.secondSource(step)) &&
            first.secondSourceOffset(step) == second.secondSourceOffset(step) &&
            first.destination(step) == second.destination(step) &&
            first.destinationOffset(step) == second.destinationOffset(step) &&
            first.count(step) == second.count(step) &&
            first.flag(step) == second.flag(step) &&
            first.dependencyCount(step) == second.dependencyCount(step);
        for (int i = 0; same && i < first.dependencyCount(step); i++)
        {
            same = first.dependency(step, i) == second.dependency(step, i);
        }
        return same;
    }

    private static boolean isSameBuffer(final Schedule schedule, final BufferId first, final BufferId second)
    {
        return first == second ||
            (schedule.request().inPlace() && first != BufferId.SCRATCH && second != BufferId.SCRATCH);
    }
}
