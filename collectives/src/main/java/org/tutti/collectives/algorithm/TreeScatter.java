/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.PreorderTree;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Scatters blocks of equal length down a tree, except for the root's own block: each rank receives the blocks of its
 * subtree together with its own. The root copies the blocks to SCRATCH in the order of the tree. Blocks longer than a
 * segment are scattered segment by segment in two sets of slots, with credits from the third segment on. SCRATCH: n
 * segments (twice that for longer blocks).
 */
final class TreeScatter
{
    private final ScheduleBuilder steps;
    private final ScheduleRequest request;
    private final PreorderTree tree;
    private final int size;
    private final int parent;
    private final int[] children;
    private final Segments segments;
    private final StepList[] done = {new StepList(), new StepList()};
    private int segment;
    private long length;
    private long set;

    /**
     * Creates the scatter of one rank.
     *
     * @param steps   builder to add steps to.
     * @param request request of the rank, for at least two ranks.
     * @param tree    tree of all ranks.
     */
    TreeScatter(final ScheduleBuilder steps, final ScheduleRequest request, final PreorderTree tree)
    {
        this.steps = steps;
        this.request = request;
        this.tree = tree;
        size = request.size();
        parent = tree.parent(request.rank());
        children = tree.children(request.rank());
        segments = new Segments(0, request.count(), request.segment());
        steps.scratch(Math.min(2L, segments.number()) * size * segments.longest());
    }

    void write()
    {
        for (segment = 0; segment < segments.number(); segment++)
        {
            length = segments.length(segment);
            set = segment % 2L * size * segments.longest();
            final StepList ready =
                parent == Tree.NONE ? copyIn() : new StepList(new StepList(), steps.await(parent, Channels.DOWN));
            done[segment % 2] = new StepList();
            for (final int child : children)
            {
                final int credit = segment < 2 ? -1 : steps.await(child, Channels.DOWN_CREDIT);
                final int place = tree.position(child) - tree.position(request.rank());
                done[segment % 2].add(steps.put(
                    child, Channels.DOWN, SCRATCH.at(set + place * length), SCRATCH.at(set),
                    tree.span(child) * length, new StepList(ready, credit).toArray()));
            }
            if (parent != Tree.NONE)
            {
                done[segment % 2].add(steps.copy(
                    SCRATCH.at(set), OUTPUT.at(segments.offset(segment)), length, ready.toArray()));
                if (segment + 2 < segments.number())
                {
                    steps.signal(parent, Channels.DOWN_CREDIT, done[segment % 2].toArray());
                }
            }
        }
    }

    /** Copies the blocks of the other ranks to SCRATCH, several at once if they are not split into segments. */
    private StepList copyIn()
    {
        final StepList copied = new StepList();
        int first = 1;
        while (first < size)
        {
            final int number = TreeGather.run(tree, first, segments);
            copied.add(steps.copy(
                INPUT.at(request.blocks().offset(tree.rankAt(first)) + segments.offset(segment)),
                SCRATCH.at(set + first * length), number * length, done[segment % 2].toArray()));
            first += number;
        }
        return copied;
    }
}
