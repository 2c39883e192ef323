/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.List;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Joins several schedules, the <i>stages</i>, which a rank executes one after the other, into one. Each stage is
 * generated for the ranks that take part in it, its <i>members</i>, as if there were no others; the composition maps it
 * to the members' ranks, to its location in the buffers, and to a separate part of SCRATCH. The first steps of a stage
 * depend on everything that the stage before has reduced, copied and received. Only the SIGNALs that expose OUTPUT are
 * sent at the beginning, for all stages, so that no rank waits for them later. A rank exposes OUTPUT to another rank in
 * one stage only.
 */
final class Composition
{
    /** A stage: the schedule of this rank among the members, and the location of its buffers. */
    private static final class Stage
    {
        private final Schedule schedule;
        private final int[] members;
        private final Place place;
        private final long scratch;
        private final boolean finishes;

        Stage(
            final Schedule schedule, final int[] members, final Place place, final long scratch,
            final boolean finishes)
        {
            this.schedule = schedule;
            this.members = members;
            this.place = place;
            this.scratch = scratch;
            this.finishes = finishes;
        }

        /** Maps a location of the stage to the composition. */
        private Location location(final BufferId buffer, final long offset)
        {
            return switch (buffer)
            {
                case INPUT -> place.input.buffer().at(place.input.offset() + offset);
                case OUTPUT -> OUTPUT.at(place.outputOffset + offset);
                case SCRATCH -> SCRATCH.at(scratch + offset);
            };
        }
    }

    /**
     * Location of a stage's buffers in those of the composition.
     *
     * @param input        location of the stage's INPUT, in INPUT or OUTPUT; in INPUT, and the same for all members,
     *                     if the stage reads INPUT of peers.
     * @param outputOffset offset of the stage's OUTPUT in OUTPUT; the same for all members that expose it.
     */
    record Place(Location input, long outputOffset)
    {
    }

    private final ScheduleBuilder steps;
    private final List<Stage> stages = new ArrayList<>();
    private long scratch;
    /** The step after which the results of all stages so far are complete, or -1. */
    private int done = -1;

    /**
     * Creates a composition without stages.
     *
     * @param request request of the composition.
     */
    Composition(final ScheduleRequest request)
    {
        steps = new ScheduleBuilder(request);
    }

    /**
     * Adds a stage.
     *
     * @param schedule schedule of this rank among the members; if it exposes OUTPUT, it exposes all of it.
     * @param members  the members' ranks, by rank in the schedule.
     * @param place    location of the stage's buffers.
     * @param finishes whether the stage's reductions make the final values.
     */
    void add(final Schedule schedule, final int[] members, final Place place, final boolean finishes)
    {
        stages.add(new Stage(schedule, members, place, scratch, finishes));
    }

    /**
     * Ends a stage. Every rank calls this, also one that has no part in the stage.
     *
     * @param count SCRATCH of the stage in elements, the same on all ranks.
     */
    void reserve(final long count)
    {
        scratch += count;
    }

    Schedule build()
    {
        steps.scratch(scratch);
        final int[][] exposures = new int[stages.size()][];
        for (int i = 0; i < exposures.length; i++)
        {
            exposures[i] = expose(stages.get(i));
        }
        for (int i = 0; i < exposures.length; i++)
        {
            write(stages.get(i), exposures[i]);
        }
        return steps.build();
    }

    /**
     * Writes the steps of a stage that expose OUTPUT. Returns, by step of the stage, the step of the composition that
     * this method wrote for it, or -1.
     */
    private int[] expose(final Stage stage)
    {
        final Schedule schedule = stage.schedule;
        final int[] written = new int[schedule.stepCount()];
        for (int step = 0; step < written.length; step++)
        {
            final boolean exposes = schedule.kind(step) == StepKind.SIGNAL && schedule.flag(step) &&
                schedule.dependencyCount(step) == 0;
            written[step] = exposes ? steps.expose(stage.members[schedule.peer(step)], schedule.channel(step)) : -1;
        }
        return written;
    }

    private void write(final Stage stage, final int[] written)
    {
        final Schedule schedule = stage.schedule;
        final boolean[] isLast = last(schedule);
        int last = -1;
        for (int step = 0; step < written.length; step++)
        {
            if (written[step] < 0)
            {
                // The engine executes these steps in order anyway, so chaining them costs nothing, and a step that
                // depends on the last one depends on all.
                written[step] = write(stage, step, dependencies(schedule, step, written, isLast[step] ? last : -1));
                last = isLast[step] ? written[step] : last;
            }
        }
        done = last < 0 ? done : last;
    }

    /**
     * Marks the steps that must be complete before the next stage starts: those that are not sends (PUT or SIGNAL) and
     * on which only sends, if any, depend.
     */
    private static boolean[] last(final Schedule schedule)
    {
        final boolean[] isLast = new boolean[schedule.stepCount()];
        for (int step = 0; step < isLast.length; step++)
        {
            isLast[step] = schedule.kind(step) != StepKind.PUT && schedule.kind(step) != StepKind.SIGNAL;
            for (int i = 0; i < schedule.dependencyCount(step); i++)
            {
                final int dependency = schedule.dependency(step, i);
                // Sends are never marked, so a step on which only sends depend stays marked.
                isLast[dependency] &= schedule.kind(step) == StepKind.PUT || schedule.kind(step) == StepKind.SIGNAL;
            }
        }
        return isLast;
    }

    private int[] dependencies(final Schedule schedule, final int step, final int[] written, final int last)
    {
        final int number = schedule.dependencyCount(step);
        final int[] after = new int[number == 0 ? 2 : number + 1];
        for (int i = 0; i < number; i++)
        {
            after[i] = written[schedule.dependency(step, i)];
        }
        if (number == 0)
        {
            after[0] = done;
        }
        after[after.length - 1] = last;
        return after;
    }

    private int reduce(
        final Stage stage, final int step, final int peer, final Location source, final Location destination,
        final int[] after)
    {
        final Schedule schedule = stage.schedule;
        final Location right = stage.location(schedule.secondSource(step), schedule.secondSourceOffset(step));
        final boolean finishes = stage.finishes && schedule.flag(step);
        return schedule.readsPeer(step) ?
            steps.reduceWithPeer(source, peer, right.offset(), destination, schedule.count(step), finishes, after) :
            steps.reduce(source, right, destination, schedule.count(step), finishes, after);
    }

    private int write(final Stage stage, final int step, final int[] after)
    {
        final Schedule schedule = stage.schedule;
        final int channel = schedule.channel(step);
        final int peer = schedule.peer(step) < 0 ? -1 : stage.members[schedule.peer(step)];
        final Location source = stage.location(schedule.source(step), schedule.sourceOffset(step));
        final Location destination = stage.location(schedule.destination(step), schedule.destinationOffset(step));
        final long count = schedule.count(step);
        return switch (schedule.kind(step))
        {
            case PUT -> steps.put(peer, channel, source, destination, count, after);
            case SIGNAL -> steps.signal(peer, channel, after);
            case WAIT -> steps.await(peer, channel, after);
            case REDUCE -> reduce(stage, step, peer, source, destination, after);
            case COPY -> steps.copy(source, destination, count, after);
        };
    }
}
