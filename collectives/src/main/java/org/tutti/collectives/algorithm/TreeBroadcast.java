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

import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Broadcasts OUTPUT down a tree, segment by segment, directly to OUTPUT of the children: a rank forwards a segment
 * while the next one arrives. Credits limit how many segments a rank is ahead of its children.
 */
final class TreeBroadcast
{
    private TreeBroadcast()
    {
    }

    /** Broadcasts through SCRATCH if the data fits a segment, so that no rank waits for its children; else directly. */
    static void writeShortOrLong(final ScheduleBuilder steps, final ScheduleRequest request, final Tree tree)
    {
        if (request.count() > request.segment())
        {
            write(steps, request, tree);
        }
        else if (request.count() > 0 && request.size() > 1)
        {
            writeThroughScratch(steps, request, tree);
        }
    }

    private static void writeThroughScratch(
        final ScheduleBuilder steps, final ScheduleRequest request, final Tree tree)
    {
        final long count = request.count();
        final int parent = tree.parent(request.rank());
        final Location source = parent == Tree.NONE ? OUTPUT.at(0) : SCRATCH.at(0);
        final int arrived = parent == Tree.NONE ? -1 : steps.await(parent, Channels.DATA);
        for (final int child : tree.children(request.rank()))
        {
            steps.put(child, Channels.DATA, source, SCRATCH.at(0), count, arrived);
        }
        if (parent != Tree.NONE)
        {
            steps.copy(SCRATCH.at(0), OUTPUT.at(0), count, arrived);
        }
        steps.scratch(count);
    }

    static void write(final ScheduleBuilder steps, final ScheduleRequest request, final Tree tree)
    {
        final Segments segments = new Segments(0, request.count(), request.segment());
        final int number = segments.number();
        final int parent = tree.parent(request.rank());
        final int[] children = tree.children(request.rank());
        final int[] exposed = new int[children.length];
        if (number > 0 && parent != Tree.NONE)
        {
            steps.expose(parent, Channels.EXPOSE);
        }
        for (int i = 0; i < number; i++)
        {
            final int arrived = parent == Tree.NONE ? -1 : steps.await(parent, Channels.DATA);
            if (parent != Tree.NONE && i + request.window() < number)
            {
                steps.signal(parent, Channels.CREDIT, arrived);
            }
            for (int c = 0; c < children.length; c++)
            {
                exposed[c] = i == 0 ? steps.await(children[c], Channels.EXPOSE) : exposed[c];
                final int credit = i < request.window() ? -1 : steps.await(children[c], Channels.CREDIT);
                final long offset = segments.offset(i);
                steps.put(
                    children[c], Channels.DATA, OUTPUT.at(offset), OUTPUT.at(offset), segments.length(i), arrived,
                    exposed[c], credit);
            }
        }
    }
}
