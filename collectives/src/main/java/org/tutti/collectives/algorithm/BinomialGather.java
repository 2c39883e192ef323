/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Gather for small data up a binomial tree in {@code ceil(log2 n)} steps: each rank collects the blocks of its subtree
 * and sends them on together. The root receives {@code n - 1} blocks, the minimum; inner ranks receive up to
 * {@code n / 2}. Blocks are collected in SCRATCH, so that no rank waits for the root. Blocks longer than a segment are
 * gathered segment by segment in two sets of slots, with credits from the third segment on. All blocks have the same
 * length. SCRATCH: n segments (twice that for longer blocks). The window is not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class BinomialGather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new Writer(steps, request).write();
        }
        if (request.isRoot())
        {
            OwnBlock.copy(steps, request);
        }
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final int size;
        private final int parent;
        private final int[] children;
        private final int span;
        private final Segments segments;
        private final StepList[] done = {new StepList(), new StepList()};
        private int segment;
        private long length;
        private long set;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            this.request = request;
            size = request.size();
            final KnomialTree tree = KnomialTree.binomial(size, request.root());
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
            final long place = Math.floorMod(request.rank() - parent, size);
            done[segment % 2].add(steps.put(
                parent, Channels.UP, source, SCRATCH.at(set + place * length), span * length,
                new StepList(ready, credit).toArray()));
        }

        /**
         * Copies from SCRATCH, where blocks start with the one after the root's and wrap around. Copies several blocks
         * at once if they are not split into segments.
         */
        private void copyOut(final StepList ready)
        {
            final boolean whole = segments.number() == 1;
            int first = 1;
            while (first < size)
            {
                final int block = (request.rank() + first) % size;
                final int number = whole ? Math.min(size - first, size - block) : 1;
                done[segment % 2].add(steps.copy(
                    SCRATCH.at(set + first * length),
                    OUTPUT.at(request.blocks().offset(block) + segments.offset(segment)), number * length,
                    ready.toArray()));
                first += number;
            }
        }

        private void grant()
        {
            for (int c = 0; segment + 2 < segments.number() && c < children.length; c++)
            {
                steps.signal(children[c], Channels.UP_CREDIT, done[segment % 2].toArray());
            }
        }
    }
}
