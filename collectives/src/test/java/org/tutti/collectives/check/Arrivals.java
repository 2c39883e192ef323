/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;
import java.util.List;

/** Matches WAITs with PUTs and SIGNALs: the k-th WAIT of a channel takes the k-th arrival. */
final class Arrivals
{
    /** No such step. */
    static final int NONE = -1;

    private final List<Schedule> schedules;
    private final int[][] partner;

    /**
     * Matches all steps.
     *
     * @param schedules schedules of all ranks, which passed {@link ShapeCheck}.
     * @param findings  destination of unmatched steps.
     */
    Arrivals(final List<Schedule> schedules, final Findings findings)
    {
        this.schedules = schedules;
        partner = new int[schedules.size()][];
        for (int rank = 0; rank < partner.length; rank++)
        {
            partner[rank] = new int[schedules.get(rank).stepCount()];
            Arrays.fill(partner[rank], NONE);
        }
        for (int to = 0; to < partner.length; to++)
        {
            for (int from = 0; from < partner.length; from++)
            {
                match(from, to);
            }
        }
        for (int rank = 0; rank < partner.length; rank++)
        {
            reportUnmatched(rank, findings);
        }
    }

    /**
     * Returns the step at the peer that a WAIT takes, or that takes a PUT or SIGNAL.
     *
     * @param rank rank of the step.
     * @param step index of a WAIT, PUT or SIGNAL.
     * @return step of {@code peer(step)}, or {@link #NONE}.
     */
    int partner(final int rank, final int step)
    {
        return partner[rank][step];
    }

    static boolean isSend(final StepKind kind)
    {
        return kind == StepKind.PUT || kind == StepKind.SIGNAL;
    }

    private void match(final int from, final int to)
    {
        final Schedule sender = schedules.get(from);
        final Schedule receiver = schedules.get(to);
        final int[] nextWait = new int[Schedule.CHANNELS];
        for (int send = 0; send < sender.stepCount(); send++)
        {
            if (isSend(sender.kind(send)) && sender.peer(send) == to)
            {
                final int channel = sender.channel(send);
                int wait = nextWait[channel];
                while (wait < receiver.stepCount() && !isWait(receiver, wait, from, channel))
                {
                    wait++;
                }
                if (wait < receiver.stepCount())
                {
                    partner[from][send] = wait;
                    partner[to][wait] = send;
                    wait++;
                }
                nextWait[channel] = wait;
            }
        }
    }

    private static boolean isWait(final Schedule receiver, final int step, final int from, final int channel)
    {
        return receiver.kind(step) == StepKind.WAIT && receiver.peer(step) == from &&
            receiver.channel(step) == channel;
    }

    private void reportUnmatched(final int rank, final Findings findings)
    {
        final Schedule schedule = schedules.get(rank);
        for (int step = 0; step < schedule.stepCount(); step++)
        {
            if (partner[rank][step] == NONE && schedule.peer(step) >= 0 && !schedule.readsPeer(step))
            {
                final String channel = " on channel " + schedule.channel(step);
                findings.add(rank, step, -1, schedule.kind(step) == StepKind.WAIT ?
                    "WAIT for rank " + schedule.peer(step) + channel + ", which sends no such arrival" :
                    schedule.kind(step) + " to rank " + schedule.peer(step) + channel + ", which never waits for it");
            }
        }
    }
}
