/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduces up a tree, segment by segment: data from children arrives in slots of SCRATCH, and the sum of a segment is
 * sent up while the next one arrives. Operands are in rank order if the subtree of each child lies entirely before or
 * entirely after the rank, and subtrees closer to the rank come first.
 * <p>
 * SCRATCH: {@code window * segment} elements for each child of the rank with the most children, and as many again for
 * sums.
 */
final class TreeReduce
{
    private final ScheduleBuilder steps;
    private final ScheduleRequest request;
    private final Segments segments;
    private final int window;
    private final int parent;
    private final int[] children;
    private final int sumSlot;
    private final int ownSlot;
    private final int[] sentFrom;

    /**
     * Creates the reduction of one rank.
     *
     * @param steps       builder to add steps to.
     * @param request     request of the rank.
     * @param tree        tree of all ranks.
     * @param maxChildren largest number of children of a rank.
     */
    TreeReduce(
        final ScheduleBuilder steps, final ScheduleRequest request, final Tree tree, final int maxChildren)
    {
        this.steps = steps;
        this.request = request;
        segments = new Segments(0, request.count(), request.segment());
        window = request.window();
        parent = tree.parent(request.rank());
        children = tree.children(request.rank());
        sumSlot = maxChildren;
        ownSlot = parent == Tree.NONE ? 0 : indexOf(request.rank(), tree.children(parent));
        sentFrom = new int[window];
        Arrays.fill(sentFrom, -1);
        steps.scratch((maxChildren + 1L) * window * segments.longest());
    }

    int segments()
    {
        return segments.number();
    }

    /**
     * Writes the steps of a segment. The root of the tree reduces into OUTPUT if it is also the root of the collective.
     *
     * @param index index of the segment.
     * @return at the root of the tree, the step after which the sum is at {@link #sumOffset} or in OUTPUT; else -1.
     */
    int reduce(final int index)
    {
        final long offset = segments.offset(index);
        final long length = segments.length(index);
        final boolean top = parent == Tree.NONE;
        final boolean toOutput = top && request.isRoot();
        final Location destination = toOutput ? OUTPUT.at(offset) : SCRATCH.at(sumOffset(index));
        Location sum = INPUT.at(offset);
        int ready = sentFrom[index % window];
        for (int c = 0; c < children.length; c++)
        {
            final int arrived = steps.await(children[c], Channels.UP);
            final boolean finish = top && c == children.length - 1;
            final Location arrival = SCRATCH.at(slot(c, index));
            ready = children[c] < request.rank() ?
                steps.reduce(arrival, sum, destination, length, finish, arrived, ready) :
                steps.reduce(sum, arrival, destination, length, finish, arrived, ready);
            sum = destination;
            if (index + window < segments.number())
            {
                steps.signal(children[c], Channels.UP_CREDIT, ready);
            }
        }
        if (top)
        {
            return ready;
        }
        final int credit = index < window ? -1 : steps.await(parent, Channels.UP_CREDIT);
        final int put = steps.put(
            parent, Channels.UP, sum, SCRATCH.at(slot(ownSlot, index)), length,
            children.length == 0 ? -1 : ready, credit);
        sentFrom[index % window] = children.length == 0 ? -1 : put;
        return -1;
    }

    /** Offset in SCRATCH of the sum of a segment, at a root of the tree that is not the root of the collective. */
    long sumOffset(final int index)
    {
        return slot(sumSlot, index);
    }

    /** Records the step that sends the sum of a segment, after which its slot may be overwritten. */
    void sumIsSentBy(final int index, final int step)
    {
        sentFrom[index % window] = step;
    }

    private long slot(final int child, final int index)
    {
        return (child * (long)window + index % window) * segments.longest();
    }

    private static int indexOf(final int rank, final int[] ranks)
    {
        int index = 0;
        while (ranks[index] != rank)
        {
            index++;
        }
        return index;
    }
}
