/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

/** Compares schedules. */
final class SchedulePairs
{
    private final Collective collective;

    SchedulePairs(final Collective collective)
    {
        this.collective = collective;
    }

    /** Returns whether all steps are the same; in place, INPUT and OUTPUT may denote the same element. */
    boolean isSame(final Schedule first, final Schedule second)
    {
        boolean same = first.stepCount() == second.stepCount() && first.request().equals(second.request());
        for (int step = 0; same && step < first.stepCount(); step++)
        {
            same = isSameStep(first, second, step);
        }
        return same;
    }

    private boolean isSameStep(final Schedule first, final Schedule second, final int step)
    {
        final boolean put = first.kind(step) == StepKind.PUT;
        boolean same = first.kind(step) == second.kind(step) &&
            first.peer(step) == second.peer(step) &&
            first.channel(step) == second.channel(step) &&
            isSameElement(
                first, first.source(step), first.sourceOffset(step), second.source(step), second.sourceOffset(step)) &&
            isSameElement(
                first, first.secondSource(step), first.secondSourceOffset(step),
                second.secondSource(step), second.secondSourceOffset(step)) &&
            (put ? first.destination(step) == second.destination(step) &&
            first.destinationOffset(step) == second.destinationOffset(step) :
            isSameElement(
                first, first.destination(step), first.destinationOffset(step),
                second.destination(step), second.destinationOffset(step))) &&
            first.count(step) == second.count(step) &&
            first.flag(step) == second.flag(step) &&
            first.dependencyCount(step) == second.dependencyCount(step);
        for (int i = 0; same && i < first.dependencyCount(step); i++)
        {
            same = first.dependency(step, i) == second.dependency(step, i);
        }
        return same;
    }

    private boolean isSameElement(
        final Schedule schedule, final BufferId first, final long offset,
        final BufferId second, final long otherOffset)
    {
        if (first == second || first == BufferId.SCRATCH || second == BufferId.SCRATCH ||
            !collective.isShared(schedule.request()))
        {
            return first == second && offset == otherOffset;
        }
        return start(schedule, first) + offset == start(schedule, second) + otherOffset;
    }

    private long start(final Schedule schedule, final BufferId buffer)
    {
        return buffer == BufferId.INPUT ?
            collective.inputStart(schedule.request()) : collective.outputStart(schedule.request());
    }
}
