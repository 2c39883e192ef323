/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.List;

/** Checks that the schedules belong to one call, and every field of every step is in range. */
final class ShapeCheck
{
    private final Collective collective;
    private final List<Schedule> schedules;
    private final Findings findings;
    private final Exposures exposures;
    private final Placement placement;

    ShapeCheck(final Collective collective, final List<Schedule> schedules, final Findings findings)
    {
        this.collective = collective;
        this.schedules = schedules;
        this.findings = findings;
        exposures = new Exposures(schedules);
        placement = new Placement(collective, schedules);
    }

    void check()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            checkRequest(rank);
        }
        for (int rank = 0; findings.isEmpty() && rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                checkStep(schedule, rank, step);
            }
        }
    }

    private void checkRequest(final int rank)
    {
        final Schedule schedule = schedules.get(rank);
        final ScheduleRequest request = schedule.request();
        ScheduleRequest expected = schedules.getFirst().request().withRank(rank).withPlacement(request.inPlace());
        if (collective.hasLocalCounts())
        {
            expected = collective.exchanges() ?
                expected.withBlocks(request.blocks(), request.received()) :
                expected.withOwnBlock(request.count(), request.blocks());
        }
        if (request.size() != schedules.size() || !request.equals(expected))
        {
            findings.add(rank, -1, -1, "made for " + request + ", must be " + expected);
        }
        else if (schedule.scratchCount() != schedules.getFirst().scratchCount())
        {
            findings.add(rank, -1, -1, "has SCRATCH of " + schedule.scratchCount() + ", rank 0 of " +
                schedules.getFirst().scratchCount());
        }
    }

    private void checkStep(final Schedule schedule, final int rank, final int step)
    {
        final StepKind kind = schedule.kind(step);
        if (kind == StepKind.PUT || kind == StepKind.SIGNAL || kind == StepKind.WAIT || schedule.readsPeer(step))
        {
            final int peer = schedule.peer(step);
            if (peer < 0 || peer >= schedules.size() || peer == rank)
            {
                findings.add(rank, step, -1, kind + " with rank " + peer + ": no such peer");
                return;
            }
            if (schedule.channel(step) < 0 || schedule.channel(step) >= Schedule.CHANNELS)
            {
                findings.add(rank, step, -1, kind + " on channel " + schedule.channel(step) + ": no such channel");
            }
        }
        if (kind == StepKind.PUT || kind == StepKind.REDUCE || kind == StepKind.COPY)
        {
            checkRange(
                schedule, rank, step, schedule.sourceOwner(step), schedule.source(step), schedule.sourceOffset(step));
            requireExposed(schedule, rank, step);
            checkDestination(schedule, rank, step, kind == StepKind.PUT ? schedule.peer(step) : rank);
            if (kind == StepKind.REDUCE)
            {
                checkRange(
                    schedule, rank, step, schedule.secondSourceOwner(step),
                    schedule.secondSource(step), schedule.secondSourceOffset(step));
            }
        }
        else if (kind == StepKind.SIGNAL && schedule.flag(step) && schedule.count(step) != Schedule.ALL)
        {
            checkRange(schedule, rank, step, rank, BufferId.OUTPUT, schedule.sourceOffset(step));
        }
        else if (schedule.count(step) < 0 && schedule.count(step) != Schedule.ALL)
        {
            findings.add(rank, step, -1, kind + " of " + schedule.count(step) + " elements");
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

    private void checkDestination(final Schedule schedule, final int rank, final int step, final int owner)
    {
        final BufferId buffer = schedule.destination(step);
        if (buffer == BufferId.INPUT)
        {
            findings.add(rank, step, schedule.destinationOffset(step), schedule.kind(step) + " writes INPUT");
        }
        if (owner == rank)
        {
            checkRange(schedule, rank, step, owner, buffer, schedule.destinationOffset(step));
        }
        else if (0 <= owner && owner < schedules.size())
        {
            checkRange(schedule, rank, step, owner, buffer, exposures.destination(rank, step));
            final long length = exposures.room(rank, step);
            final long offset = schedule.destinationOffset(step);
            if (length != Schedule.ALL && (offset < 0 || offset > length - schedule.count(step)))
            {
                findings.add(rank, step, offset, schedule.kind(step) + " of " + schedule.count(step) +
                    " elements at " + offset + " exceeds the length " + length + " that rank " + owner + " exposes");
            }
        }
    }

    private void requireExposed(final Schedule schedule, final int rank, final int step)
    {
        final boolean reduces = schedule.kind(step) == StepKind.REDUCE;
        final BufferId buffer = reduces ? schedule.secondSource(step) : schedule.source(step);
        if (schedule.readsPeer(step) && buffer != BufferId.INPUT)
        {
            findings.add(rank, step, -1, schedule.kind(step) + " of " + buffer + " of rank " + schedule.peer(step) +
                ": only INPUT is exposed");
        }
    }

    private void checkRange(
        final Schedule schedule, final int rank, final int step,
        final int owner, final BufferId buffer, final long offset)
    {
        final long length = placement.length(owner, buffer);
        final long count = schedule.count(step);
        if (offset < 0 || count < 0 || offset > length - count)
        {
            findings.add(rank, step, offset, schedule.kind(step) + " of " + count + " elements at " + buffer +
                "[" + offset + "] exceeds its length " + length);
        }
    }
}
