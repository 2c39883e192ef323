/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks that conflicting accesses (to the same memory, at least one of them a write) are ordered by
 * {@link HappensBefore}: the end of one before the beginning of the other. A PUT reads its source from its begin event
 * until it ends for its dependents, and writes its destination from its begin event until it lands.
 */
final class ConflictCheck
{
    private final List<Schedule> schedules;
    private final HappensBefore order;
    private final Findings findings;
    private final Exposures exposures;
    private final Placement placement;
    private final List<List<Access>> accesses = new ArrayList<>();

    /** The elements that a step reads or writes between two events. */
    private record Access(int rank, int step, int begin, int end, boolean write, long from, long to)
    {
    }

    ConflictCheck(
        final Collective collective, final List<Schedule> schedules, final HappensBefore order,
        final Findings findings)
    {
        this.schedules = schedules;
        this.order = order;
        this.findings = findings;
        exposures = new Exposures(schedules);
        placement = new Placement(collective, schedules);
        for (int i = 0; i < schedules.size() * BufferId.values().length; i++)
        {
            accesses.add(new ArrayList<>());
        }
    }

    void check()
    {
        for (int event = 0; event < order.events(); event++)
        {
            if (order.isBegin(event))
            {
                collect(order.rank(event), order.step(event), event);
            }
        }
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            for (final BufferId buffer : BufferId.values())
            {
                // In place, accesses to INPUT are recorded with those to OUTPUT, with offsets in their common memory.
                checkOrder(rank, buffer, accesses.get(rank * BufferId.values().length + buffer.ordinal()));
            }
        }
    }

    private void collect(final int rank, final int step, final int event)
    {
        final Schedule schedule = schedules.get(rank);
        final StepKind kind = schedule.kind(step);
        if (kind != StepKind.PUT && kind != StepKind.REDUCE && kind != StepKind.COPY)
        {
            return;
        }
        add(
            schedule.sourceOwner(step), schedule.source(step), schedule.sourceOffset(step), false, rank, step, event);
        if (kind == StepKind.REDUCE)
        {
            add(
                schedule.secondSourceOwner(step),
                schedule.secondSource(step), schedule.secondSourceOffset(step), false, rank, step, event);
        }
        final int owner = kind == StepKind.PUT ? schedule.peer(step) : rank;
        final long offset =
            kind == StepKind.PUT ? exposures.destination(rank, step) : schedule.destinationOffset(step);
        add(owner, schedule.destination(step), offset, true, rank, step, event);
    }

    private void add(
        final int owner, final BufferId buffer, final long offset, final boolean write,
        final int rank, final int step, final int event)
    {
        final long count = schedules.get(rank).count(step);
        if (count > 0)
        {
            final int end = write ? order.landing(rank, step) : event;
            final long from = placement.start(owner, buffer) + offset;
            final int index = placement.memory(owner, buffer).ordinal();
            accesses.get(owner * BufferId.values().length + index).add(
                new Access(rank, step, event, end, write, from, from + count));
        }
    }

    /** Visits accesses in order of events; between two cuts all accesses are to the same elements. */
    private void checkOrder(final int owner, final BufferId buffer, final List<Access> list)
    {
        final long[] cuts = list.stream().flatMapToLong((access) -> Arrays.stream(new long[] {access.from, access.to}))
            .sorted().distinct().toArray();
        final Access[] lastWrite = new Access[cuts.length];
        final List<List<Access>> readsSince = new ArrayList<>();
        for (int i = 0; i < cuts.length; i++)
        {
            readsSince.add(new ArrayList<>());
        }
        for (final Access access : list)
        {
            for (int cut = Arrays.binarySearch(cuts, access.from); cuts[cut] < access.to; cut++)
            {
                final List<Access> reads = readsSince.get(cut);
                requireOrder(owner, buffer, cuts[cut], lastWrite[cut], access);
                if (access.write)
                {
                    for (final Access read : reads)
                    {
                        requireOrder(owner, buffer, cuts[cut], read, access);
                    }
                    reads.clear();
                    lastWrite[cut] = access;
                }
                else
                {
                    reads.add(access);
                }
            }
        }
    }

    private void requireOrder(
        final int owner, final BufferId buffer, final long element, final Access first, final Access second)
    {
        if (first == null)
        {
            return;
        }
        if (first.rank == second.rank && first.step == second.step)
        {
            if (first.from != second.from)
            {
                findings.add(first.rank, first.step, element, "partially overlaps its own source in " + buffer);
            }
        }
        else if (!order.isBefore(first.end, second.begin))
        {
            findings.add(second.rank, second.step, element, text(second) + " " + buffer + " of rank " + owner +
                " not ordered with step " + first.step + " of rank " + first.rank + ", which " + text(first) + " it");
        }
    }

    private static String text(final Access access)
    {
        return access.write ? "writes" : "reads";
    }
}
