/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.PreorderTree;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Gathers blocks of equal length up a tree, except for the root's own block: each rank collects the blocks of its
 * subtree in SCRATCH and sends them on together. Blocks longer than a segment are gathered segment by segment in two
 * sets of slots, with credits from the third segment on. SCRATCH: n segments (twice that for longer blocks).
 */
final class TreeGather
{
    private final ScheduleBuilder steps;
    private final ScheduleRequest request;
    private final PreorderTree tree;
    private final int size;
    private final int parent;
    private final int[] children;
    private final int span;
    private final Segments segments;
    private final StepList[] done = {new StepList(), new StepList()};
    private int segment;
    private long length;
    private long set;

    /**
     * Creates the gather of one rank.
     *
     * @param steps   builder to add steps to.
     * @param request request of the rank, for at least two ranks.
     * @param tree    tree of all ranks.
     */
    TreeGather(final ScheduleBuilder steps, final ScheduleRequest request, final PreorderTree tree)
    {
        this.steps = steps;
        this.request = request;
        this.tree = tree;
        size = request.size();
        parent = tree.parent(request.rank());
        children = tree.children(request.rank());
        span = tree.span(request.rank());
        segments = new Segments(0, request.count(), request.segment());
        steps.scratch(Math.min(2L, segments.number()) * size * segments.longest());
    }

    void write()
    {
        for (segment = 0; segment < segments.number(); segment++)
        {
            length = segments.length(segment);
            set = segment % 2L * size * segments.longest();
            final StepList before = done[segment % 2];
            done[segment % 2] = new StepList();
            final StepList ready = new StepList();
            if (parent != Tree.NONE && children.length > 0)
            {
                ready.add(steps.copy(
                    INPUT.at(segments.offset(segment)), SCRATCH.at(set), length, before.toArray()));
            }
            for (final int child : children)
            {
                ready.add(steps.await(child, Channels.UP));
            }
            if (parent == Tree.NONE)
            {
                copyOut(ready);
            }
            else
            {
                sendUp(ready);
            }
            grant();
        }
    }

    private void sendUp(final StepList ready)
    {
        final Location source = children.length == 0 ? INPUT.at(segments.offset(segment)) : SCRATCH.at(set);
        final int credit = segment < 2 ? -1 : steps.await(parent, Channels.UP_CREDIT);
        final int place = tree.position(request.rank()) - tree.position(parent);
        done[segment % 2].add(steps.put(
            parent, Channels.UP, source, SCRATCH.at(set + place * length), span * length,
            new StepList(ready, credit).toArray()));
    }

    /** Copies from SCRATCH, several blocks at once if they are not split into segments. */
    private void copyOut(final StepList ready)
    {
        int first = 1;
        while (first < size)
        {
            final int number = run(tree, first, segments);
            done[segment % 2].add(steps.copy(
                SCRATCH.at(set + first * length),
                OUTPUT.at(request.blocks().offset(tree.rankAt(first)) + segments.offset(segment)), number * length,
                ready.toArray()));
            first += number;
        }
    }

    /**
     * Returns the number of blocks from a position on that are also neighbours in the buffer that has all blocks.
     *
     * @param tree     tree of all ranks.
     * @param first    position of the first block.
     * @param segments segments of a block: parts of blocks have no neighbours.
     * @return number of blocks, at least 1.
     */
    static int run(final PreorderTree tree, final int first, final Segments segments)
    {
        int number = 1;
        while (segments.number() == 1 && first + number < tree.span(tree.rankAt(0)) &&
            tree.rankAt(first + number) == tree.rankAt(first) + number)
        {
            number++;
        }
        return number;
    }

    private void grant()
    {
        for (int c = 0; segment + 2 < segments.number() && c < children.length; c++)
        {
            steps.signal(children[c], Channels.UP_CREDIT, done[segment % 2].toArray());
        }
    }
}
