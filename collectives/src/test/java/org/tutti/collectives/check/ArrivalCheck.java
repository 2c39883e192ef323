/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.StepKind;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Checks that PUTs into OUTPUT, and reads of a peer's INPUT, are ordered after their exposure, and counts the arrivals
 * that a peer can send before the first of them is waited for, which is the number of receive requests that must be
 * posted.
 */
final class ArrivalCheck
{
    private final List<Schedule> schedules;
    private final Arrivals arrivals;
    private final HappensBefore order;
    private final Findings findings;

    ArrivalCheck(
        final List<Schedule> schedules, final Arrivals arrivals, final HappensBefore order, final Findings findings)
    {
        this.schedules = schedules;
        this.arrivals = arrivals;
        this.order = order;
        this.findings = findings;
    }

    void checkExposure()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final int[] exposedBy = exposures(rank);
            final BitSet unused = new BitSet();
            final Schedule schedule = schedules.get(rank);
            // An exposure that only serves to compare counts may have nothing to write.
            Arrays.stream(exposedBy).filter((wait) -> wait >= 0 && !schedule.flag(wait)).forEach(unused::set);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                final boolean reads = schedule.readsPeer(step);
                if (reads || (schedule.kind(step) == StepKind.PUT && schedule.destination(step) == BufferId.OUTPUT))
                {
                    final int wait = exposedBy[schedule.peer(step)];
                    unused.clear(Math.max(0, wait));
                    if (wait < 0 || !order.isBefore(order.begin(rank, wait), order.begin(rank, step)))
                    {
                        findings.add(rank, step, schedule.destinationOffset(step),
                            schedule.kind(step) + (reads ? " of INPUT of rank " : " into OUTPUT of rank ") +
                            schedule.peer(step) + " is not ordered after its exposure");
                    }
                    if (reads && !isFollowedByPeer(rank, step))
                    {
                        findings.add(rank, step, schedule.destinationOffset(step), "rank " + schedule.peer(step) +
                            " may end while its INPUT is read");
                    }
                }
            }
            for (int wait = unused.nextSetBit(0); wait >= 0; wait = unused.nextSetBit(wait + 1))
            {
                findings.add(
                    rank, wait, -1, "gets an exposed OUTPUT of rank " + schedule.peer(wait) + " that it never writes");
            }
        }
    }

    /** Returns whether the peer that a step reads has a later step; otherwise it could end, and write its INPUT. */
    private boolean isFollowedByPeer(final int rank, final int step)
    {
        final int peer = schedules.get(rank).peer(step);
        for (int later = schedules.get(peer).stepCount() - 1; later >= 0; later--)
        {
            if (order.isBefore(order.begin(rank, step), order.begin(peer, later)))
            {
                return true;
            }
        }
        return false;
    }

    /** Returns, by peer, the WAITs of a rank that receive the exposure of the peer's OUTPUT. */
    private int[] exposures(final int rank)
    {
        final int[] exposedBy = new int[schedules.size()];
        Arrays.fill(exposedBy, -1);
        for (int peer = 0; peer < schedules.size(); peer++)
        {
            final Schedule schedule = schedules.get(peer);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                if (schedule.kind(step) == StepKind.SIGNAL && schedule.peer(step) == rank && schedule.flag(step))
                {
                    if (exposedBy[peer] >= 0)
                    {
                        findings.add(peer, step, -1, "exposes OUTPUT to rank " + rank + " a second time");
                    }
                    exposedBy[peer] = arrivals.partner(peer, step);
                    checkCount(peer, step, rank);
                }
            }
        }
        return exposedBy;
    }

    /** Checks that a range of OUTPUT is exposed to a WAIT that checks its length. */
    private void checkCount(final int peer, final int step, final int rank)
    {
        final long exposed = schedules.get(peer).count(step);
        final int wait = arrivals.partner(peer, step);
        final Schedule schedule = schedules.get(rank);
        final long expected = schedule.flag(wait) ? schedule.count(wait) : Schedule.ALL;
        if (expected != exposed)
        {
            findings.add(rank, wait, -1, "expects " + (expected == Schedule.ALL ? "all" : expected) +
                " elements of OUTPUT of rank " + peer + ", which exposes " +
                (exposed == Schedule.ALL ? "all" : exposed));
        }
    }

    /**
     * Checks that each checking WAIT receives an exposure, or a block of its length, and that each block is checked.
     */
    void checkChecks()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                if (isBlock(schedule, step))
                {
                    checkIsChecked(rank, step);
                }
                if (schedule.kind(step) == StepKind.WAIT && schedule.isOfBlock(step))
                {
                    checkBlock(rank, step);
                }
                else if (schedule.kind(step) == StepKind.WAIT && schedule.flag(step))
                {
                    final Schedule sender = schedules.get(schedule.peer(step));
                    final int send = arrivals.partner(rank, step);
                    if (sender.kind(send) != StepKind.SIGNAL || !sender.flag(send))
                    {
                        findings.add(rank, step, -1, "checks the length that rank " + schedule.peer(step) +
                            " exposes, which exposes nothing at its step " + send);
                    }
                }
            }
        }
    }

    /** Returns whether a step carries or announces a block eagerly. */
    private static boolean isBlock(final Schedule schedule, final int step)
    {
        return schedule.kind(step) == StepKind.SIGNAL ? schedule.isOfBlock(step) :
            schedule.kind(step) == StepKind.PUT && schedule.destination(step) == BufferId.SCRATCH &&
            schedule.request().eager() > 0;
    }

    private void checkIsChecked(final int rank, final int send)
    {
        final Schedule schedule = schedules.get(rank);
        final Schedule receiver = schedules.get(schedule.peer(send));
        if (!receiver.isOfBlock(arrivals.partner(rank, send)))
        {
            findings.add(rank, send, -1, "has a block for rank " + schedule.peer(send) +
                ", which does not check its length");
        }
    }

    /** Checks that a WAIT which checks the length of a block receives a block of that length. */
    private void checkBlock(final int rank, final int wait)
    {
        final Schedule schedule = schedules.get(rank);
        final Schedule sender = schedules.get(schedule.peer(wait));
        final int send = arrivals.partner(rank, wait);
        final boolean isBlock = isBlock(sender, send);
        if (!isBlock || sender.count(send) != schedule.count(wait))
        {
            findings.add(rank, wait, -1, "expects a block of " + schedule.count(wait) + " elements of rank " +
                schedule.peer(wait) + ", which " + (isBlock ? "has " + sender.count(send) : "sends none") +
                " at its step " + send);
        }
    }

    /**
     * Counts arrivals.
     *
     * @param queueDepth maximum number of outstanding arrivals from a peer.
     * @return maximum number of outstanding arrivals.
     */
    int checkOutstanding(final int queueDepth)
    {
        int most = 0;
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                if (Arrivals.isSend(schedule.kind(step)))
                {
                    final int outstanding = outstanding(schedule, rank, step);
                    most = Math.max(most, outstanding);
                    if (outstanding > queueDepth)
                    {
                        findings.add(rank, step, -1, schedule.kind(step) + " can be arrival number " + outstanding +
                            " that rank " + schedule.peer(step) + " has not waited for, the queue holds " + queueDepth);
                    }
                }
            }
        }
        return most;
    }

    private int outstanding(final Schedule schedule, final int rank, final int send)
    {
        final int peer = schedule.peer(send);
        final int begin = order.begin(rank, send);
        int outstanding = 1;
        for (int earlier = 0; earlier < send; earlier++)
        {
            if (Arrivals.isSend(schedule.kind(earlier)) && schedule.peer(earlier) == peer &&
                !order.isBefore(order.begin(peer, arrivals.partner(rank, earlier)), begin))
            {
                outstanding++;
            }
        }
        return outstanding;
    }
}
