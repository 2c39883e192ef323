/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.DoubleBinaryTree;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allreduce for large data and many ranks: each half of the data is reduced up one of two binary trees and broadcast
 * down it. One segment takes at most {@code 2 ceil(log2 n)} steps, against {@code 2 (n - 1)} in a ring; segments are
 * pipelined, and a rank sends at most twice the data. Up the tree, segments go to SCRATCH of the parent; down the tree,
 * directly to OUTPUT. Each rank sums a segment once, in the order own input, first child, second child, so all ranks
 * get the same bits. SCRATCH: {@code 4 * window * segment} elements. The operation must commute.
 * <p>
 * A rank executes its steps in order, and an inner rank of one tree is a leaf of the other, so steps are written in
 * rounds: in round {@code i}, a rank at depth {@code d} of a tree of {@code h} levels sends segment
 * {@code i - (h - d) l} up and segment {@code i - (h + d) l} down, where {@code l} is half a window. So data and,
 * unless the window is 1, credits arrive in an earlier round than they are needed.
 * <p>
 * Sanders, Speck and Träff, <i>Two-tree algorithms for full bandwidth broadcast, reduction and scan</i>, Parallel
 * Computing 35(12), 2009, doi:10.1016/j.parco.2009.09.001.
 */
final class DoubleBinaryTreeAllreduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
        }
        final Tree[] trees = DoubleBinaryTree.pair(request.size());
        final Partition ranges = new Partition(request.count(), trees.length);
        final ExposedOutputs exposed = new ExposedOutputs(steps);
        final Half[] halves = new Half[trees.length];
        for (int i = 0; i < halves.length; i++)
        {
            final Segments segments = new Segments(ranges.offset(i), ranges.length(i), request.segment());
            halves[i] = new Half(steps, request, i, trees[i], segments, exposed);
        }
        steps.scratch(2L * trees.length * request.window() * halves[0].segments.longest());
        exposeToParents(steps, halves);
        final int rounds = Math.max(halves[0].rounds(), halves[1].rounds());
        for (int i = 0; i < rounds; i++)
        {
            halves[0].reduceUp(i - halves[0].upLag);
            halves[1].reduceUp(i - halves[1].upLag);
            halves[0].broadcastDown(i - halves[0].downLag);
            halves[1].broadcastDown(i - halves[1].downLag);
        }
        return steps.build();
    }

    /** Exposes OUTPUT to this rank's parents, only once if it has the same parent in both trees. */
    private static void exposeToParents(final ScheduleBuilder steps, final Half[] halves)
    {
        int exposedTo = Tree.NONE;
        for (final Half half : halves)
        {
            if (half.number > 0 && half.parent != Tree.NONE && half.parent != exposedTo)
            {
                exposedTo = half.parent;
                steps.expose(half.parent, Channels.EXPOSE);
            }
        }
    }

    /** Waits for the OUTPUT of children: at most four in both trees, however many ranks there are. */
    private static final class ExposedOutputs
    {
        private final ScheduleBuilder steps;
        private final int[] peers = new int[4];
        private final int[] waits = new int[4];
        private int number;

        ExposedOutputs(final ScheduleBuilder steps)
        {
            this.steps = steps;
        }

        /** Returns the step that waits for the peer; adds it the first time. */
        int by(final int peer)
        {
            for (int i = 0; i < number; i++)
            {
                if (peers[i] == peer)
                {
                    return waits[i];
                }
            }
            peers[number] = peer;
            waits[number] = steps.await(peer, Channels.EXPOSE);
            return waits[number++];
        }
    }

    /** The steps of a rank in one of the trees. */
    private static final class Half
    {
        private final ScheduleBuilder steps;
        private final int tree;
        private final int window;
        private final int downWindow;
        private final Segments segments;
        private final int number;
        private final int parent;
        private final int[] children;
        private final int slotAtParent;
        private final int upLag;
        private final int downLag;
        private final long slotLength;
        private final ExposedOutputs exposed;
        private final int[] reduced;

        Half(
            final ScheduleBuilder steps, final ScheduleRequest request, final int index,
            final Tree tree, final Segments segments, final ExposedOutputs exposed)
        {
            this.steps = steps;
            this.tree = index;
            this.segments = segments;
            this.exposed = exposed;
            window = request.window();
            // At least 2, as a child is a round behind its parent even if the window is 1.
            downWindow = Math.max(2, window);
            number = segments.number();
            parent = tree.parent(request.rank());
            children = tree.children(request.rank());
            slotAtParent = parent == Tree.NONE || tree.children(parent)[0] == request.rank() ? 0 : 1;
            // At least the number of levels of edges of both trees.
            final int levels = Integer.SIZE - Integer.numberOfLeadingZeros(request.size());
            final int lag = request.halfWindow();
            final int depth = tree.depth(request.rank());
            upLag = lag * (levels - depth);
            downLag = lag * (levels + depth);
            // Both halves have the layout of the first, which is the longer one.
            slotLength = Math.min(request.segment(), new Partition(request.count(), 2).longest());
            reduced = new int[number];
        }

        int rounds()
        {
            return number + downLag;
        }

        void reduceUp(final int index)
        {
            if (index < 0 || index >= number)
            {
                return;
            }
            final long offset = segments.offset(index);
            final long length = segments.length(index);
            BufferId sum = INPUT;
            int ready = -1;
            for (int c = 0; c < children.length; c++)
            {
                final int arrived = steps.await(children[c], Channels.UP + tree);
                final boolean finish = parent == Tree.NONE && c == children.length - 1;
                ready = steps.reduce(
                    sum.at(offset), SCRATCH.at(slot(c, index)), OUTPUT.at(offset), length, finish, arrived, ready);
                sum = OUTPUT;
                if (index + window < number)
                {
                    steps.signal(children[c], Channels.UP_CREDIT + tree, ready);
                }
            }
            reduced[index] = ready;
            if (parent != Tree.NONE)
            {
                final int credit = index < window ? -1 : steps.await(parent, Channels.UP_CREDIT + tree);
                steps.put(
                    parent, Channels.UP + tree, sum.at(offset), SCRATCH.at(slot(slotAtParent, index)), length, ready,
                    credit);
            }
        }

        void broadcastDown(final int index)
        {
            if (index < 0 || index >= number)
            {
                return;
            }
            int ready = reduced[index];
            if (parent != Tree.NONE)
            {
                ready = steps.await(parent, Channels.DOWN + tree);
                if (index + downWindow < number)
                {
                    steps.signal(parent, Channels.DOWN_CREDIT + tree, ready);
                }
            }
            for (final int child : children)
            {
                final int exposedBy = exposed.by(child);
                final int credit = index < downWindow ? -1 : steps.await(child, Channels.DOWN_CREDIT + tree);
                final long offset = segments.offset(index);
                steps.put(
                    child, Channels.DOWN + tree, OUTPUT.at(offset), OUTPUT.at(offset), segments.length(index), ready,
                    exposedBy, credit);
            }
        }

        private long slot(final int child, final int index)
        {
            return ((2L * tree + child) * window + index % window) * slotLength;
        }
    }
}
