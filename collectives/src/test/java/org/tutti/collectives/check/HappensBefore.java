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
 * The order of all ranks' events, as far as dependencies, arrivals, and the order of what one rank sends another give
 * it; the order of the list gives none.
 * <p>
 * A step is one event. A PUT or SIGNAL is two: it <i>begins</i> (and for those that depend on it, it ends: a PUT has
 * read its source), and it <i>lands</i>, which is after it begins, after all that was sent before to the same peer has
 * landed, and before the WAIT that takes it. Events are numbered in an order in which ranks that run their lists in
 * order can execute them; there is none if they deadlock. With each event there is a set of all events before it, as
 * bits.
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
     * How many events there are.
     *
     * @return events are numbered from 0 so that each is after all that are before it.
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

    /** The event in which a step begins; unless it lands, it ends with it. */
    int begin(final int rank, final int step)
    {
        return begins[rank][step];
    }

    /** The event in which a PUT or SIGNAL lands at the peer; of other steps their only one. */
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

    /** All events before one, as bits; not to be written. */
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
