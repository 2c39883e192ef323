/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;
import org.tutti.collectives.schedule.StepKind;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * A naive reimplementation of {@link HappensBefore} and {@link ConflictCheck}: a graph with two nodes per step, a
 * search from every node, and every pair of accesses to every element.
 */
final class ReferenceOrder
{
    private final List<Schedule> schedules;
    private final Collective collective;
    private final int[] firstNode;
    private final List<List<Integer>> successors = new ArrayList<>();
    /** By node, the set of all nodes after it, computed on demand. */
    private final AtomicReferenceArray<BitSet> after;

    private record Access(int begin, int end, boolean write)
    {
    }

    ReferenceOrder(final Collective collective, final List<Schedule> schedules)
    {
        this.schedules = schedules;
        this.collective = collective;
        firstNode = new int[schedules.size() + 1];
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            firstNode[rank + 1] = firstNode[rank] + 2 * schedules.get(rank).stepCount();
        }
        for (int node = 0; node < firstNode[schedules.size()]; node++)
        {
            successors.add(new ArrayList<>());
        }
        connect();
        after = new AtomicReferenceArray<>(successors.size());
    }

    /** Returns whether all conflicting accesses to the same element are ordered. */
    boolean ordersAllConflicts()
    {
        for (int owner = 0; owner < schedules.size(); owner++)
        {
            for (final BufferId buffer : BufferId.values())
            {
                final long count = length(schedules.get(owner), buffer);
                for (long element = 0; element < count; element++)
                {
                    if (!isOrdered(accesses(owner, buffer, element)))
                    {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /** Returns whether every rank's last step is after a step of every other rank. */
    boolean ordersAllEntriesBeforeAllExits()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final BitSet entry = new BitSet();
            for (int node = firstNode[rank]; node < firstNode[rank + 1]; node++)
            {
                entry.set(node);
                entry.or(after(node));
            }
            for (int peer = 0; peer < schedules.size(); peer++)
            {
                final int first = entry.nextSetBit(firstNode[peer]);
                if (peer != rank && (first < 0 || first >= firstNode[peer + 1]))
                {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns whether exactly the same steps are ordered as in another order with the same number of steps, in which
     * only one rank's steps have other dependencies: a path that differs leads through one of that rank's steps.
     */
    boolean isSameAs(final ReferenceOrder other, final int rank)
    {
        return IntStream.range(firstNode[rank], firstNode[rank + 1])
            .allMatch(node -> after(node).equals(other.after(node)));
    }

    /** Thread-safe: concurrent calls compute the same set. */
    private BitSet after(final int node)
    {
        BitSet reached = after.get(node);
        if (reached == null)
        {
            reached = new BitSet();
            search(node, reached);
            after.set(node, reached);
        }
        return reached;
    }

    private void connect()
    {
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            final int[] lastSend = new int[schedules.size()];
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                successors.get(begin(rank, step)).add(end(rank, step));
                for (int i = 0; i < schedule.dependencyCount(step); i++)
                {
                    final int dependency = schedule.dependency(step, i);
                    final boolean lands = isSend(schedule, dependency);
                    successors.get(lands ? begin(rank, dependency) : end(rank, dependency)).add(begin(rank, step));
                }
                if (isSend(schedule, step))
                {
                    final int peer = schedule.peer(step);
                    if (lastSend[peer] > 0)
                    {
                        successors.get(lastSend[peer]).add(end(rank, step));
                    }
                    lastSend[peer] = end(rank, step);
                    successors.get(end(rank, step)).add(begin(peer, waitFor(rank, step)));
                }
            }
        }
    }

    private static boolean isSend(final Schedule schedule, final int step)
    {
        return schedule.kind(step) == StepKind.PUT || schedule.kind(step) == StepKind.SIGNAL;
    }

    /** Finds the WAIT at the peer by counting earlier messages on the channel. */
    private int waitFor(final int rank, final int send)
    {
        final Schedule sender = schedules.get(rank);
        final int peer = sender.peer(send);
        final int channel = sender.channel(send);
        int number = 0;
        for (int step = 0; step < send; step++)
        {
            number += isSend(sender, step) && sender.peer(step) == peer && sender.channel(step) == channel ? 1 : 0;
        }
        final Schedule receiver = schedules.get(peer);
        for (int step = 0; step < receiver.stepCount(); step++)
        {
            if (receiver.kind(step) == StepKind.WAIT && receiver.peer(step) == rank &&
                receiver.channel(step) == channel && number-- == 0)
            {
                return step;
            }
        }
        throw new IllegalArgumentException("rank " + peer + " does not wait for step " + send + " of rank " + rank);
    }

    private void search(final int node, final BitSet reached)
    {
        for (final int next : successors.get(node))
        {
            if (!reached.get(next))
            {
                reached.set(next);
                search(next, reached);
            }
        }
    }

    private boolean isOrdered(final List<Access> accesses)
    {
        for (final Access one : accesses)
        {
            for (final Access other : accesses)
            {
                final boolean conflict = one.begin != other.begin && (one.write || other.write);
                if (conflict && !after(one.end).get(other.begin) && !after(other.end).get(one.begin))
                {
                    return false;
                }
            }
        }
        return true;
    }

    private List<Access> accesses(final int owner, final BufferId buffer, final long element)
    {
        final List<Access> accesses = new ArrayList<>();
        for (int rank = 0; rank < schedules.size(); rank++)
        {
            final Schedule schedule = schedules.get(rank);
            for (int step = 0; step < schedule.stepCount(); step++)
            {
                final boolean put = schedule.kind(step) == StepKind.PUT;
                if (schedule.count(step) == 0)
                {
                    continue;
                }
                final boolean reduce = schedule.kind(step) == StepKind.REDUCE;
                if (schedule.kind(step) != StepKind.REDUCE && schedule.kind(step) != StepKind.COPY && !put)
                {
                    continue;
                }
                if ((schedule.sourceOwner(step) == owner && touches(
                    schedule, step, schedule.source(step), schedule.sourceOffset(step), owner, buffer, element)) ||
                    (reduce && schedule.secondSourceOwner(step) == owner && touches(
                    schedule, step, schedule.secondSource(step), schedule.secondSourceOffset(step),
                    owner, buffer, element)))
                {
                    accesses.add(new Access(begin(rank, step), put ? begin(rank, step) : end(rank, step), false));
                }
                if ((put ? schedule.peer(step) : rank) == owner && touches(
                    schedule, step, schedule.destination(step),
                    schedule.destinationOffset(step) + (put ? exposed(owner, rank, schedule.destination(step)) : 0),
                    owner, buffer, element))
                {
                    accesses.add(new Access(begin(rank, step), end(rank, step), true));
                }
            }
        }
        return accesses;
    }

    /** Returns the start of the range that the owner exposes to a rank. */
    private long exposed(final int owner, final int rank, final BufferId buffer)
    {
        final Schedule schedule = schedules.get(owner);
        for (int step = 0; buffer == BufferId.OUTPUT && step < schedule.stepCount(); step++)
        {
            if (schedule.kind(step) == StepKind.SIGNAL && schedule.peer(step) == rank && schedule.flag(step))
            {
                return schedule.sourceOffset(step);
            }
        }
        return 0;
    }

    private boolean touches(
        final Schedule schedule, final int step, final BufferId touched, final long offset,
        final int owner, final BufferId buffer, final long element)
    {
        final ScheduleRequest request = schedules.get(owner).request();
        final boolean both = touched != BufferId.SCRATCH && buffer != BufferId.SCRATCH && collective.isShared(request);
        final long from = offset + (both ? start(request, touched) - start(request, buffer) : 0);
        return (both || touched == buffer) && from <= element && element < from + schedule.count(step);
    }

    private long start(final ScheduleRequest request, final BufferId buffer)
    {
        return buffer == BufferId.INPUT ? collective.inputStart(request) : collective.outputStart(request);
    }

    private long length(final Schedule schedule, final BufferId buffer)
    {
        return switch (buffer)
        {
            case INPUT -> collective.inputCount(schedule.request());
            case OUTPUT -> collective.outputCount(schedule.request());
            case SCRATCH -> schedule.scratchCount();
        };
    }

    private int begin(final int rank, final int step)
    {
        return firstNode[rank] + 2 * step;
    }

    private int end(final int rank, final int step)
    {
        return begin(rank, step) + 1;
    }
}
