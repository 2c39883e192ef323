/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.List;

/** Whether the schedules belong together, and every field of every step is in its range. */
final class ShapeCheck
{
    private final List<Schedule> schedules;
    private final Findings findings;

    ShapeCheck(final List<Schedule> schedules, final Findings findings)
    {
        this.schedules = schedules;
        this.findings = findings;
    }

    void check()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            final ScheduleRequest expected = schedules.getFirst().request().withRank(rank)
                .withPlacement(schedule.request().inPlace());
            if (schedule.request().size() != schedules.size() || !schedule.request().equals(expected))
            {
                findings.add(rank, -1, -1, "made for " + schedule.request() + ", must be " + expected);
            }
            else if (schedule.scratchCount() != schedules.getFirst().scratchCount())
            {
                findings.add(rank, -1, -1, "has SCRATCH of " + schedule.scratchCount() + ", rank 0 of " +
                    schedules.getFirst().scratchCount());
            }
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                checkStep(schedule, rank, step);
            }
        }
    }

    private void checkStep(final Schedule schedule, final int rank, final int step)
    {
        final StepKind kind = schedule.kind(step);
        if (kind == StepKind.PUT || kind == StepKind.SIGNAL || kind == StepKind.WAIT)
        {
            final int peer = schedule.peer(step);
            if (peer < 0 || peer >= schedules.size() || peer == rank)
            {
                findings.add(rank, step, -1, kind + " with rank " + peer + ": no such peer");
            }
            if (schedule.channel(step) < 0 || schedule.channel(step) >= Schedule.CHANNELS)
            {
                findings.add(rank, step, -1, kind + " on channel " + schedule.channel(step) + ": no such channel");
            }
        }
        if (kind == StepKind.PUT || kind == StepKind.REDUCE || kind == StepKind.COPY)
        {
            checkRange(schedule, rank, step, schedule.source(step), schedule.sourceOffset(step));
            checkRange(schedule, rank, step, schedule.destination(step), schedule.destinationOffset(step));
            if (schedule.destination(step) == BufferId.INPUT)
            {
                findings.add(rank, step, schedule.destinationOffset(step), kind + " writes INPUT");
            }
            if (kind == StepKind.REDUCE)
            {
                checkRange(schedule, rank, step, schedule.secondSource(step), schedule.secondSourceOffset(step));
            }
        }
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            if (schedule.dependency(step, i) < 0 || schedule.dependency(step, i) >= step)
            {
                findings.add(
                    rank, step, -1, "depends on step " + schedule.dependency(step, i) + ", not an earlier one");
            }
        }
    }

    /** A peer's buffers are as long as one's own. */
    private void checkRange(
        final Schedule schedule, final int rank, final int step, final BufferId buffer, final long offset)
    {
        final long length = buffer == BufferId.SCRATCH ? schedule.scratchCount() : schedule.request().count();
        final long count = schedule.count(step);
        if (offset < 0 || count < 0 || offset > length - count)
        {
            findings.add(rank, step, offset, schedule.kind(step) + " of " + count + " elements at " + buffer +
                "[" + offset + "] is out of its " + length);
        }
    }
}
