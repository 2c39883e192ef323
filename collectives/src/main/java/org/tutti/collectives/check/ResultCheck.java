/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Whether every rank ends with what the collective promises, by executing the schedules on expressions. Once all
 * conflicting accesses are ordered, every execution gives the same, so one is enough. Also finds what was written in
 * vain: elements that are overwritten before anybody reads them, or by what they were.
 */
final class ResultCheck
{
    private final Collective collective;
    private final List<Schedule> schedules;
    private final HappensBefore order;
    private final Findings findings;
    private final ScheduleRequest request;
    private final Expressions expressions = new Expressions();
    private final int[][][] memory;
    private final BitSet[][] unread;

    ResultCheck(
        final Collective collective, final List<Schedule> schedules, final HappensBefore order,
        final Findings findings)
    {
        this.collective = collective;
        this.schedules = schedules;
        this.order = order;
        this.findings = findings;
        request = schedules.getFirst().request();
        memory = new int[schedules.size()][BufferId.values().length][];
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

    /** Every rank must end after every rank has begun: after some step of it. */
    private void checkBarrier()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final BitSet heard = new BitSet();
            heard.set(rank);
            for (int step = 0; step < schedules.get(rank).stepCount(); step++)
            {
                final BitSet events = BitSet.valueOf(order.before(order.begin(rank, step)));
                events.stream().forEach((event) -> heard.set(order.rank(event)));
            }
            for (int peer = 0; peer < schedules.size(); peer++)
            {
                if (!heard.get(peer))
                {
                    findings.add(rank, -1, -1, "may leave the barrier before rank " + peer + " enters it");
                }
            }
        }
    }

    private void fill(final int rank)
    {
        final boolean inPlace = collective == Collective.BROADCAST || schedules.get(rank).request().inPlace();
        final int[] input = new int[Math.toIntExact(request.count())];
        for (int i = 0; i < input.length; i++)
        {
            final boolean known = collective == Collective.ALLREDUCE || rank == request.root();
            input[i] = known ? expressions.leaf(rank, i) : Expressions.UNDEFINED;
        }
        memory[rank][BufferId.INPUT.ordinal()] = input;
        memory[rank][BufferId.OUTPUT.ordinal()] = inPlace ? input : undefined(request.count());
        memory[rank][BufferId.SCRATCH.ordinal()] = undefined(schedules.get(rank).scratchCount());
        unread[rank][BufferId.INPUT.ordinal()] = new BitSet();
        unread[rank][BufferId.OUTPUT.ordinal()] = inPlace ? unread[rank][BufferId.INPUT.ordinal()] : new BitSet();
        unread[rank][BufferId.SCRATCH.ordinal()] = new BitSet();
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
        return read(rank, schedule.source(step), schedule.sourceOffset(step), schedule.count(step));
    }

    private int[] read(final int rank, final BufferId buffer, final long offset, final long count)
    {
        final int from = (int)offset;
        final int to = (int)(offset + count);
        unread[rank][buffer.ordinal()].clear(from, to);
        return Arrays.copyOfRange(memory[rank][buffer.ordinal()], from, to);
    }

    private int[] reduce(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        final int[] values = read(rank, step);
        final int[] right = read(
            rank, schedule.secondSource(step), schedule.secondSourceOffset(step), schedule.count(step));
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
        final int offset = (int)schedule.destinationOffset(step);
        final BitSet pending = unread[owner][schedule.destination(step).ordinal()];
        final int wasted = pending.nextSetBit(offset);
        if (wasted >= 0 && wasted < offset + values.length)
        {
            findings.add(rank, step, wasted, schedule.kind(step) + " overwrites " + schedule.destination(step) +
                " of rank " + owner + ", which was written and not read");
        }
        pending.set(offset, offset + values.length);
        final int[] target = memory[owner][schedule.destination(step).ordinal()];
        for (int i = 0; i < values.length; i++)
        {
            if (target[offset + i] == values[i] && values[i] != Expressions.UNDEFINED)
            {
                findings.add(rank, step, offset + i, schedule.kind(step) + " writes what " +
                    schedule.destination(step) + " of rank " + owner + " has there already");
            }
            target[offset + i] = values[i];
        }
    }

    private void checkOutput(final int rank)
    {
        final int[] output = memory[rank][BufferId.OUTPUT.ordinal()];
        final int[] first = memory[0][BufferId.OUTPUT.ordinal()];
        for (int i = 0; i < output.length; i++)
        {
            if (collective == Collective.BROADCAST)
            {
                if (output[i] != expressions.leaf(request.root(), i))
                {
                    findings.add(rank, -1, i, "OUTPUT is not the root's");
                }
                continue;
            }
            final String fault = expressions.faultAsResult(output[i], i, schedules.size());
            if (fault != null)
            {
                findings.add(rank, -1, i, "OUTPUT " + fault);
            }
            else if (output[i] != first[i])
            {
                findings.add(rank, -1, i, "OUTPUT is combined in another order than on rank 0");
            }
        }
    }
}
