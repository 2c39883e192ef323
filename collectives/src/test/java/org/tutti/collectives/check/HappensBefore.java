/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;
import java.util.List;

/**
 * The happens-before order of all ranks' events, from dependencies, arrivals, and the order of messages from one rank
 * to another; the order of steps in the list contributes nothing.
 * <p>
 * A step is one event. A PUT or SIGNAL is two: it <i>begins</i> (at which it also ends for its dependents: a PUT has
 * read its source), and it <i>lands</i>, after it begins, after all earlier messages to the same peer have landed, and
 * before the WAIT that takes it. Events are numbered in an order in which ranks that run their lists in order can
 * execute them, unless they deadlock. Each event has a bit set of all events before it.
 */
final class HappensBefore
{
    private final List<Schedule> schedules;
    private final Arrivals arrivals;
    private final int[][] begins;
    private final int[][] lands;
    private final int[] rankOf;
    private final int[] stepOf;
    private final long[][] before;
    private int events;

    HappensBefore(final List<Schedule> schedules, final Arrivals arrivals, final Findings findings)
    {
        this.schedules = schedules;
        this.arrivals = arrivals;
        final int size = schedules.size();
        begins = new int[size][];
        lands = new int[size][];
        int capacity = 0;
        for (int rank = 0; rank < size; rank++)
        {
            final int steps = schedules.get(rank).stepCount();
            begins[rank] = new int[steps];
            lands[rank] = new int[steps];
            Arrays.fill(lands[rank], -1);
            capacity += 2 * steps;
        }
        rankOf = new int[capacity];
        stepOf = new int[capacity];
        before = new long[capacity][];
        runInListOrder(findings);
    }

    /**
     * Returns the number of events.
     *
     * @return number of events, which are numbered from 0 in an order compatible with happens-before.
     */
    int events()
    {
        return events;
    }

    int rank(final int event)
    {
        return rankOf[event];
    }

    int step(final int event)
    {
        return stepOf[event];
    }

    /** Returns the event in which a step begins; steps that do not land also end with it. */
    int begin(final int rank, final int step)
    {
        return begins[rank][step];
    }

    /** Returns the event in which a PUT or SIGNAL lands at the peer; for other steps their only event. */
    int landing(final int rank, final int step)
    {
        return lands[rank][step];
    }

    boolean isBegin(final int event)
    {
        return begins[rankOf[event]][stepOf[event]] == event;
    }

    boolean isBefore(final int first, final int second)
    {
        return first < second && (before[second][first >> 6] & 1L << first) != 0;
    }

    /** Returns the set of all events before an event, as bits; must not be modified. */
    long[] before(final int event)
    {
        return before[event];
    }

    private void runInListOrder(final Findings findings)
    {
        final int size = schedules.size();
        final int[] next = new int[size];
        final int[] lastLanding = new int[size * size];
        Arrays.fill(lastLanding, -1);
        boolean progress = true;
        while (progress)
        {
            progress = false;
            for (int rank = 0; rank < size; rank++)
            {
                while (next[rank] < begins[rank].length && canRun(rank, next[rank]))
                {
                    run(rank, next[rank]++, lastLanding);
                    progress = true;
                }
            }
        }
        for (int rank = 0; rank < size; rank++)
        {
            if (next[rank] < begins[rank].length)
            {
                final Schedule schedule = schedules.get(rank);
                findings.add(rank, next[rank], -1, "deadlock: waits forever for rank " + schedule.peer(next[rank]) +
                    " on channel " + schedule.channel(next[rank]));
            }
        }
    }

    private boolean canRun(final int rank, final int step)
    {
        final Schedule schedule = schedules.get(rank);
        return schedule.kind(step) != StepKind.WAIT ||
            lands[schedule.peer(step)][arrivals.partner(rank, step)] >= 0;
    }

    private void run(final int rank, final int step, final int[] lastLanding)
    {
        final Schedule schedule = schedules.get(rank);
        final int begin = newEvent(rank, step);
        begins[rank][step] = begin;
        lands[rank][step] = begin;
        for (int i = 0; i < schedule.dependencyCount(step); i++)
        {
            order(begins[rank][schedule.dependency(step, i)], begin);
        }
        if (schedule.kind(step) == StepKind.WAIT)
        {
            order(lands[schedule.peer(step)][arrivals.partner(rank, step)], begin);
        }
        else if (Arrivals.isSend(schedule.kind(step)))
        {
            final int pair = rank * schedules.size() + schedule.peer(step);
            final int landing = newEvent(rank, step);
            order(begin, landing);
            if (lastLanding[pair] >= 0)
            {
                order(lastLanding[pair], landing);
            }
            lands[rank][step] = landing;
            lastLanding[pair] = landing;
        }
    }

    private int newEvent(final int rank, final int step)
    {
        final int event = events++;
        rankOf[event] = rank;
        stepOf[event] = step;
        before[event] = new long[(event >> 6) + 1];
        return event;
    }

    private void order(final int first, final int second)
    {
        final long[] set = before[second];
        if ((set[first >> 6] & 1L << first) == 0)
        {
            final long[] more = before[first];
            for (int i = 0; i < more.length; i++)
            {
                set[i] |= more[i];
            }
            set[first >> 6] |= 1L << first;
        }
    }
}
