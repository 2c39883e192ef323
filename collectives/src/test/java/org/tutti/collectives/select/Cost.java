/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The cost of a call, maximum over all ranks.
 *
 * @param depth    number of messages on the critical path, over all ranks.
 * @param messages number of messages that a rank sends: PUTs and SIGNALs.
 * @param sent     bytes that a rank sends.
 * @param reduced  bytes of reduction results.
 * @param copied   bytes that a rank copies.
 */
record Cost(int depth, long messages, long sent, long reduced, long copied)
{
    private static final int NOT_YET = -1;

    /** The k-th message from a rank to another on a channel, which matches the k-th WAIT there. */
    private record Message(int from, int to, int channel, int number)
    {
    }

    static Cost of(final List<Schedule> schedules, final int elementSize)
    {
        return new Cost(
            depth(schedules),
            schedules.stream().mapToLong(each -> of(each, StepKind.PUT).count() + of(each, StepKind.SIGNAL).count())
                .max().orElse(0),
            elements(schedules, StepKind.PUT) * elementSize,
            elements(schedules, StepKind.REDUCE) * elementSize,
            elements(schedules, StepKind.COPY) * elementSize);
    }

    private static IntStream of(final Schedule schedule, final StepKind kind)
    {
        return IntStream.range(0, schedule.stepCount()).filter(step -> schedule.kind(step) == kind);
    }

    private static long elements(final List<Schedule> schedules, final StepKind kind)
    {
        return schedules.stream().mapToLong(each -> of(each, kind).mapToLong(each::count).sum()).max().orElse(0);
    }

    /** Visits the ranks in turn while any of them can execute a step. */
    private static int depth(final List<Schedule> schedules)
    {
        final Map<Message, Integer> arrivals = new HashMap<>();
        final List<Message[]> messages = new ArrayList<>();
        final List<int[]> depths = new ArrayList<>();
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            messages.add(messages(schedules.get(rank), rank));
            depths.add(new int[schedules.get(rank).stepCount()]);
            Arrays.fill(depths.getLast(), NOT_YET);
        }
        boolean goesOn = true;
        while (goesOn)
        {
            goesOn = false;
            for (int rank = 0; rank < schedules.size(); rank++)
            {
                final int[] done = depths.get(rank);
                for (int step = 0; step < done.length; step++)
                {
                    if (done[step] == NOT_YET)
                    {
                        done[step] = depth(schedules.get(rank), step, done, messages.get(rank)[step], arrivals);
                        goesOn |= done[step] != NOT_YET;
                    }
                }
            }
        }
        assertEquals(0, depths.stream().flatMapToInt(Arrays::stream).filter(each -> each == NOT_YET).count(),
            "steps that wait for ever");
        return depths.stream().flatMapToInt(Arrays::stream).max().orElse(0);
    }

    /** By step; null if there is none. */
    private static Message[] messages(final Schedule schedule, final int rank)
    {
        final Map<Message, Integer> numbers = new HashMap<>();
        final Message[] messages = new Message[schedule.stepCount()];
        for (int step = 0; step < messages.length; step++)
        {
            final StepKind kind = schedule.kind(step);
            if (kind == StepKind.PUT || kind == StepKind.SIGNAL || kind == StepKind.WAIT)
            {
                final int peer = schedule.peer(step);
                final int from = kind == StepKind.WAIT ? peer : rank;
                final int to = kind == StepKind.WAIT ? rank : peer;
                final int number = numbers.merge(
                    new Message(from, to, schedule.channel(step), 0), 1, Integer::sum);
                messages[step] = new Message(from, to, schedule.channel(step), number);
            }
        }
        return messages;
    }

    /** Returns the number of consecutive messages before the end of a step. */
    private static int depth(
        final Schedule schedule, final int step, final int[] done, final Message message,
        final Map<Message, Integer> arrivals)
    {
        int depth = 0;
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            final int before = done[schedule.dependency(step, i)];
            if (before == NOT_YET)
            {
                return NOT_YET;
            }
            depth = Math.max(depth, before);
        }
        if (message == null)
        {
            return depth;
        }
        if (schedule.kind(step) == StepKind.WAIT)
        {
            final Integer arrival = arrivals.get(message);
            return arrival == null ? NOT_YET : Math.max(depth, arrival);
        }
        arrivals.put(message, depth + 1);
        return depth;
    }
}
