/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.check.Promises.Promise;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Checks that every rank ends with the result that the collective promises, by executing the schedules on expressions.
 * If all conflicting accesses are ordered, all executions have the same result, so one suffices. Also finds redundant
 * writes: elements that are overwritten before any step reads them, or with the value that they have.
 */
final class ResultCheck
{
    private final Collective collective;
    private final List<Schedule> schedules;
    private final HappensBefore order;
    private final Findings findings;
    private final boolean inRankOrder;
    private final Exposures exposures;
    private final Placement placement;
    private final Promises promises;
    private final Expressions expressions = new Expressions();
    private final int[][][] memory;
    private final int[][] before;
    private final BitSet[][] unread;

    ResultCheck(
        final Collective collective, final List<Schedule> schedules, final HappensBefore order,
        final Findings findings, final boolean inRankOrder)
    {
        this.collective = collective;
        this.schedules = schedules;
        this.order = order;
        this.findings = findings;
        this.inRankOrder = inRankOrder || collective == Collective.SCAN || collective == Collective.EXSCAN;
        exposures = new Exposures(schedules);
        placement = new Placement(collective, schedules);
        promises = new Promises(collective, schedules);
        memory = new int[schedules.size()][BufferId.values().length][];
        before = new int[schedules.size()][];
        unread = new BitSet[schedules.size()][BufferId.values().length];
    }

    void check()
    {
        if (collective == Collective.BARRIER)
        {
            checkBarrier();
            return;
        }
        for (int rank = 0; rank < memory.length; rank++)
        {
            fill(rank);
        }
        for (int event = 0; event < order.events(); event++)
        {
            if (order.isBegin(event))
            {
                execute(order.rank(event), order.step(event));
            }
        }
        for (int rank = 0; rank < memory.length; rank++)
        {
            checkOutput(rank);
            final int wasted = unread[rank][BufferId.SCRATCH.ordinal()].nextSetBit(0);
            if (wasted >= 0)
            {
                findings.add(rank, -1, wasted, "SCRATCH was written and never read");
            }
        }
    }

    /** Every rank must end after a step of every other rank. */
    private void checkBarrier()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final BitSet seen = new BitSet();
            seen.set(rank);
            for (int step = 0; step < schedules.get(rank).stepCount(); step++)
            {
                final BitSet events = BitSet.valueOf(order.before(order.begin(rank, step)));
                events.stream().forEach((event) -> seen.set(order.rank(event)));
            }
            for (int peer = 0; peer < schedules.size(); peer++)
            {
                if (!seen.get(peer))
                {
                    findings.add(rank, -1, -1, "may leave the barrier before rank " + peer + " enters it");
                }
            }
        }
    }

    private void fill(final int rank)
    {
        for (final BufferId buffer : BufferId.values())
        {
            memory[rank][buffer.ordinal()] = undefined(placement.memoryLength(rank, buffer));
            unread[rank][buffer.ordinal()] = new BitSet();
        }
        // The buffer of a broadcast is INPUT on the root only.
        if (collective != Collective.BROADCAST || schedules.get(rank).request().isRoot())
        {
            final int[] input = memory[rank][placement.memory(rank, BufferId.INPUT).ordinal()];
            final int start = (int)placement.start(rank, BufferId.INPUT);
            final int length = (int)placement.length(rank, BufferId.INPUT);
            for (int i = 0; i < length; i++)
            {
                input[start + i] = expressions.leaf(rank, i);
            }
        }
        before[rank] = memory[rank][BufferId.OUTPUT.ordinal()].clone();
    }

    private static int[] undefined(final long count)
    {
        final int[] values = new int[Math.toIntExact(count)];
        Arrays.fill(values, Expressions.UNDEFINED);
        return values;
    }

    private void execute(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        switch (schedule.kind(step))
        {
            case PUT -> write(schedule.peer(step), rank, step, read(rank, step));
            case COPY -> write(rank, rank, step, read(rank, step));
            case REDUCE -> write(rank, rank, step, reduce(rank, step));
            default ->
            {
                // SIGNAL and WAIT move no elements.
            }
        }
    }

    private int[] read(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        return read(
            schedule.sourceOwner(step), schedule.source(step), schedule.sourceOffset(step), schedule.count(step));
    }

    private int[] read(final int rank, final BufferId buffer, final long offset, final long count)
    {
        final int from = (int)(placement.start(rank, buffer) + offset);
        final int to = (int)(from + count);
        final int index = placement.memory(rank, buffer).ordinal();
        unread[rank][index].clear(from, to);
        return Arrays.copyOfRange(memory[rank][index], from, to);
    }

    private int[] reduce(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        final int[] values = read(rank, step);
        final int[] right = read(
            schedule.secondSourceOwner(step), schedule.secondSource(step), schedule.secondSourceOffset(step),
            schedule.count(step));
        for (int i = 0; i < values.length; i++)
        {
            final String fault = expressions.fault(values[i], right[i]);
            if (fault != null)
            {
                findings.add(rank, step, schedule.destinationOffset(step) + i, fault);
            }
            values[i] = expressions.combine(values[i], right[i], schedule.flag(step));
        }
        return values;
    }

    private void write(final int owner, final int rank, final int step, final int[] values)
    {
        final Schedule schedule = schedules.get(rank);
        final BufferId buffer = schedule.destination(step);
        final long within = owner == rank ? schedule.destinationOffset(step) : exposures.destination(rank, step);
        final int offset = (int)(placement.start(owner, buffer) + within);
        final int index = placement.memory(owner, buffer).ordinal();
        final BitSet pending = unread[owner][index];
        final int wasted = pending.nextSetBit(offset);
        if (wasted >= 0 && wasted < offset + values.length)
        {
            findings.add(rank, step, wasted, schedule.kind(step) + " overwrites " + buffer +
                " of rank " + owner + ", which was written and not read");
        }
        pending.set(offset, offset + values.length);
        final int[] target = memory[owner][index];
        for (int i = 0; i < values.length; i++)
        {
            if (target[offset + i] == values[i] && values[i] != Expressions.UNDEFINED)
            {
                findings.add(rank, step, within + i, schedule.kind(step) + " writes the value that " +
                    buffer + " of rank " + owner + " already has");
            }
            target[offset + i] = values[i];
        }
    }

    private void checkOutput(final int rank)
    {
        final int[] output = memory[rank][BufferId.OUTPUT.ordinal()];
        final int[] first = memory[0][BufferId.OUTPUT.ordinal()];
        final int start = (int)placement.start(rank, BufferId.OUTPUT);
        final int length = (int)placement.length(rank, BufferId.OUTPUT);
        for (int i = 0; i < length; i++)
        {
            final Promise promise = promises.of(rank, i);
            if (promise == null)
            {
                if (output[start + i] != before[rank][start + i])
                {
                    findings.add(rank, -1, i, "OUTPUT is modified outside of the result");
                }
                continue;
            }
            final String fault = expressions.faultAsResult(output[start + i], promise, inRankOrder);
            if (fault != null)
            {
                findings.add(rank, -1, i, "OUTPUT " + fault);
            }
            else if (collective == Collective.ALLREDUCE && !expressions.isKin(output[start + i], first[i]))
            {
                findings.add(rank, -1, i, "OUTPUT is combined in a different order than on rank 0");
            }
        }
    }
}
