/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.check.EditableSchedule.Step;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** All mutations of the schedules of a call by one small change. */
final class Mutations
{
    private static final int UNUSED_CHANNEL = Schedule.CHANNELS - 1;

    private final List<Schedule> originals;
    private final SchedulePairs pairs;
    private final Consumer<Mutant> sink;
    private final BitSet channels = new BitSet();
    private final Arrivals arrivals;
    private int rank;
    private int index;

    /** The kind of a mutation. */
    enum Kind
    {
        DROP_WAIT, DROP_ARRIVAL, DROP_DEPENDENCY, SWAP_DESTINATIONS, SWAP_SOURCES, CHANGE_CHANNEL, CHANGE_PEER,
        DROP_STEP, DUPLICATE_STEP, FLIP_FLAG, SWAP_OPERANDS, CHANGE_BUFFER, SHIFT_OFFSET, CHANGE_COUNT
    }

    /**
     * Schedules with one mutation.
     *
     * @param kind      kind of the mutation.
     * @param rank      rank whose schedule is mutated.
     * @param step      mutated step of the original.
     * @param detail    details of the mutation.
     * @param schedules schedules of all ranks.
     */
    record Mutant(Kind kind, int rank, int step, String detail, List<Schedule> schedules)
    {
        @Override
        public String toString()
        {
            return kind + " at rank " + rank + " step " + step + " " + detail;
        }
    }

    /** An edit of a step. */
    private interface Edit
    {
        void apply(EditableSchedule schedule, Step step);
    }

    private Mutations(final Collective collective, final List<Schedule> originals, final Consumer<Mutant> sink)
    {
        this.originals = originals;
        pairs = new SchedulePairs(collective);
        this.sink = sink;
        arrivals = new Arrivals(originals, new Findings());
        channels.set(UNUSED_CHANNEL);
        for (final Schedule schedule : originals)
        {
            IntStream.range(0, schedule.stepCount()).forEach((step) -> channels.set(schedule.channel(step)));
        }
    }

    static void forEach(
        final Collective collective, final List<Schedule> originals, final Consumer<Mutant> sink)
    {
        final Mutations mutations = new Mutations(collective, originals, sink);
        for (int rank = 0; rank < originals.size(); rank++)
        {
            for (int step = 0; step < originals.get(rank).stepCount(); step++)
            {
                mutations.rank = rank;
                mutations.index = step;
                mutations.mutate();
            }
        }
    }

    private void mutate()
    {
        final Schedule original = originals.get(rank);
        for (int i = 0; i < original.dependencyCount(index); i++)
        {
            final int dropped = i;
            edit(Kind.DROP_DEPENDENCY, "on step " + original.dependency(index, i),
                (schedule, step) -> step.dependencies.remove(dropped));
        }
        switch (original.kind(index))
        {
            case PUT -> mutatePut(original);
            case SIGNAL ->
            {
                dropArrival();
                mutatePeerAndChannel();
                flipFlag();
                if (original.flag(index) && original.count(index) != Schedule.ALL)
                {
                    if (original.count(index) > 0)
                    {
                        edit(Kind.SHIFT_OFFSET, "exposure up", (schedule, step) -> step.sourceOffset++);
                        edit(Kind.SHIFT_OFFSET, "exposure down", (schedule, step) -> step.sourceOffset--);
                    }
                    changeCount();
                }
                else if (original.isOfBlock(index))
                {
                    changeCount();
                }
            }
            case WAIT ->
            {
                edit(Kind.DROP_WAIT, "", EditableSchedule::drop);
                mutatePeerAndChannel();
                flipFlag();
                if (original.flag(index))
                {
                    changeCount();
                }
            }
            default -> mutateLocal(original.kind(index));
        }
    }

    private void mutatePut(final Schedule original)
    {
        dropArrival();
        mutatePeerAndChannel();
        mutateSourceAndDestination();
        for (int other = index + 1; other < original.stepCount(); other++)
        {
            if (original.kind(other) == StepKind.PUT)
            {
                final int second = other;
                edit(Kind.SWAP_DESTINATIONS, "with step " + other,
                    (schedule, step) -> swapDestinations(step, schedule.steps.get(second)));
                edit(Kind.SWAP_SOURCES, "with step " + other,
                    (schedule, step) -> swapSources(step, schedule.steps.get(second)));
            }
        }
    }

    private void mutateLocal(final StepKind kind)
    {
        edit(Kind.DROP_STEP, "", EditableSchedule::drop);
        edit(Kind.DUPLICATE_STEP, "", Mutations::duplicate);
        mutateSourceAndDestination();
        for (int peer = 0; originals.get(rank).readsPeer(index) && peer < originals.size(); peer++)
        {
            final int other = peer;
            edit(Kind.CHANGE_PEER, "to " + peer, (schedule, step) -> step.peer = other);
        }
        if (kind == StepKind.REDUCE)
        {
            flipFlag();
            edit(Kind.SWAP_OPERANDS, "", (schedule, step) -> swapOperands(step));
            for (final BufferId buffer : BufferId.values())
            {
                edit(Kind.CHANGE_BUFFER, "right to " + buffer, (schedule, step) -> step.second = buffer);
            }
            edit(Kind.SHIFT_OFFSET, "right up", (schedule, step) -> step.secondOffset++);
            edit(Kind.SHIFT_OFFSET, "right down", (schedule, step) -> step.secondOffset--);
        }
    }

    private void mutateSourceAndDestination()
    {
        for (final BufferId buffer : BufferId.values())
        {
            edit(Kind.CHANGE_BUFFER, "source to " + buffer, (schedule, step) -> step.source = buffer);
            edit(Kind.CHANGE_BUFFER, "destination to " + buffer, (schedule, step) -> step.destination = buffer);
        }
        edit(Kind.SHIFT_OFFSET, "source up", (schedule, step) -> step.sourceOffset++);
        edit(Kind.SHIFT_OFFSET, "source down", (schedule, step) -> step.sourceOffset--);
        edit(Kind.SHIFT_OFFSET, "destination up", (schedule, step) -> step.destinationOffset++);
        edit(Kind.SHIFT_OFFSET, "destination down", (schedule, step) -> step.destinationOffset--);
        changeCount();
    }

    private void changeCount()
    {
        edit(Kind.CHANGE_COUNT, "more", (schedule, step) -> step.count++);
        edit(Kind.CHANGE_COUNT, "less", (schedule, step) -> step.count--);
    }

    private void mutatePeerAndChannel()
    {
        channels.stream().forEach((channel) ->
            edit(Kind.CHANGE_CHANNEL, "to " + channel, (schedule, step) -> step.channel = channel));
        for (int peer = 0; peer < originals.size(); peer++)
        {
            final int other = peer;
            edit(Kind.CHANGE_PEER, "to " + peer, (schedule, step) -> step.peer = other);
        }
    }

    private void flipFlag()
    {
        edit(Kind.FLIP_FLAG, "", (schedule, step) -> step.flag = !step.flag);
    }

    /** Drops a PUT or SIGNAL and the WAIT that takes it, as if both sides agreed to drop a credit. */
    private void dropArrival()
    {
        final int wait = arrivals.partner(rank, index);
        final int peer = originals.get(rank).peer(index);
        final EditableSchedule sender = new EditableSchedule(originals.get(rank));
        final EditableSchedule receiver = new EditableSchedule(originals.get(peer));
        sender.drop(sender.steps.get(index));
        receiver.drop(receiver.steps.get(wait));
        final List<Schedule> schedules = new ArrayList<>(originals);
        schedules.set(rank, sender.build());
        schedules.set(peer, receiver.build());
        sink.accept(new Mutant(
            Kind.DROP_ARRIVAL, rank, index, "with the WAIT of rank " + peer + " at step " + wait, schedules));
    }

    private void edit(final Kind kind, final String detail, final Edit edit)
    {
        final EditableSchedule schedule = new EditableSchedule(originals.get(rank));
        edit.apply(schedule, schedule.steps.get(index));
        final Schedule changed = schedule.build();
        if (!pairs.isSame(changed, originals.get(rank)))
        {
            final List<Schedule> schedules = new ArrayList<>(originals);
            schedules.set(rank, changed);
            sink.accept(new Mutant(kind, rank, index, detail, schedules));
        }
    }

    private static void duplicate(final EditableSchedule schedule, final Step step)
    {
        final Step copy = step.copy();
        copy.dependencies.add(step);
        schedule.steps.add(schedule.steps.indexOf(step) + 1, copy);
    }

    private static void swapOperands(final Step step)
    {
        final BufferId buffer = step.source;
        final long offset = step.sourceOffset;
        step.source = step.second;
        step.sourceOffset = step.secondOffset;
        step.second = buffer;
        step.secondOffset = offset;
    }

    private static void swapDestinations(final Step first, final Step second)
    {
        final BufferId buffer = first.destination;
        final long offset = first.destinationOffset;
        first.destination = second.destination;
        first.destinationOffset = second.destinationOffset;
        second.destination = buffer;
        second.destinationOffset = offset;
    }

    private static void swapSources(final Step first, final Step second)
    {
        final BufferId buffer = first.source;
        final long offset = first.sourceOffset;
        first.source = second.source;
        first.sourceOffset = second.sourceOffset;
        second.source = buffer;
        second.sourceOffset = offset;
    }
}
