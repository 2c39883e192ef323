/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.List;

/** A copy of a schedule whose steps can be changed, moved and dropped. */
final class EditableSchedule
{
    final List<Step> steps = new ArrayList<>();
    private final Schedule original;

    /** A step; dependencies are steps, so that they stay valid when other steps are added or removed. */
    static final class Step
    {
        StepKind kind;
        int peer;
        int channel;
        BufferId source;
        long sourceOffset;
        BufferId second;
        long secondOffset;
        BufferId destination;
        long destinationOffset;
        long count;
        boolean flag;
        private int index;
        final List<Step> dependencies = new ArrayList<>();

        Step copy()
        {
            final Step copy = new Step();
            copy.kind = kind;
            copy.peer = peer;
            copy.channel = channel;
            copy.source = source;
            copy.sourceOffset = sourceOffset;
            copy.second = second;
            copy.secondOffset = secondOffset;
            copy.destination = destination;
            copy.destinationOffset = destinationOffset;
            copy.count = count;
            copy.flag = flag;
            copy.dependencies.addAll(dependencies);
            return copy;
        }

        boolean isSend()
        {
            return kind == StepKind.PUT || kind == StepKind.SIGNAL;
        }

        boolean hasPeer()
        {
            return isSend() || kind == StepKind.WAIT;
        }
    }

    EditableSchedule(final Schedule original)
    {
        this.original = original;
        for (int i = 0; i < original.stepCount(); i++)
        {
            final Step step = new Step();
            step.kind = original.kind(i);
            step.peer = original.peer(i);
            step.channel = original.channel(i);
            step.source = original.source(i);
            step.sourceOffset = original.sourceOffset(i);
            step.second = original.secondSource(i);
            step.secondOffset = original.secondSourceOffset(i);
            step.destination = original.destination(i);
            step.destinationOffset = original.destinationOffset(i);
            step.count = original.count(i);
            step.flag = original.flag(i);
            for (int d = 0; d < original.dependencyCount(i); d++)
            {
                step.dependencies.add(steps.get(original.dependency(i, d)));
            }
            steps.add(step);
        }
    }

    /** Drops a step; its dependents inherit its dependencies. */
    void drop(final Step dropped)
    {
        steps.remove(dropped);
        for (final Step step : steps)
        {
            if (step.dependencies.remove(dropped))
            {
                step.dependencies.addAll(dropped.dependencies);
            }
        }
    }

    Schedule build()
    {
        final ScheduleBuilder builder = new ScheduleBuilder(original.request());
        builder.scratch(original.scratchCount());
        int index = 0;
        for (final Step step : steps)
        {
            step.index = index++;
            final int[] after = new int[step.dependencies.size()];
            for (int i = 0; i < after.length; i++)
            {
                after[i] = step.dependencies.get(i).index;
            }
            switch (step.kind)
            {
                case PUT -> builder.put(
                    step.peer, step.channel, step.source.at(step.sourceOffset),
                    step.destination.at(step.destinationOffset), step.count, after);
                case WAIT ->
                {
                    if (step.flag && step.destination == BufferId.SCRATCH)
                    {
                        builder.awaitBlock(step.peer, step.channel, step.count, after);
                    }
                    else if (step.flag)
                    {
                        builder.awaitExposure(step.peer, step.channel, step.count, after);
                    }
                    else
                    {
                        builder.await(step.peer, step.channel, after);
                    }
                }
                case REDUCE ->
                {
                    if (step.peer >= 0)
                    {
                        builder.reduceWithPeer(
                            step.source.at(step.sourceOffset), step.peer, step.secondOffset,
                            step.destination.at(step.destinationOffset), step.count, step.flag, after);
                    }
                    else
                    {
                        builder.reduce(
                            step.source.at(step.sourceOffset), step.second.at(step.secondOffset),
                            step.destination.at(step.destinationOffset), step.count, step.flag, after);
                    }
                }
                case COPY ->
                {
                    if (step.peer >= 0)
                    {
                        builder.copyFromPeer(
                            step.peer, step.sourceOffset, step.destination.at(step.destinationOffset), step.count,
                            after);
                    }
                    else
                    {
                        builder.copy(
                            step.source.at(step.sourceOffset), step.destination.at(step.destinationOffset), step.count,
                            after);
                    }
                }
                default ->
                {
                    if (step.flag)
                    {
                        builder.expose(step.peer, step.channel, step.sourceOffset, step.count, after);
                    }
                    else if (step.destination == BufferId.SCRATCH)
                    {
                        builder.announce(step.peer, step.channel, step.count, after);
                    }
                    else
                    {
                        builder.signal(step.peer, step.channel, after);
                    }
                }
            }
        }
        return builder.build();
    }
}
