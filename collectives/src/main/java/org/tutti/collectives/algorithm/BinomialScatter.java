/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.KnomialTree;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.pattern.Tree;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Scatter for small data down a binomial tree in {@code ceil(log2 n)} steps: each rank receives the blocks of its
 * subtree together with its own. The root sends {@code n - 1} blocks, the minimum; inner ranks send up to
 * {@code n / 2}. Blocks go through SCRATCH, so that the root waits for no rank; the root copies them there in tree
 * order. Blocks longer than a segment are scattered segment by segment in two sets of slots, with credits from the
 * third segment on. All blocks have the same length. SCRATCH: n segments (twice that for longer blocks). The window is
 * not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class BinomialScatter implements ScheduleGenerator
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
            OwnBlock.take(steps, request);
        }
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final KnomialTree tree;
        private final int size;
        private final int parent;
        private final int[] children;
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
            tree = KnomialTree.binomial(size, request.root());
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
                    final long place = Math.floorMod(child - request.rank(), size);
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

        /**
         * Copies the blocks of the other ranks to SCRATCH, starting with the one after the root's and wrapping around.
         */
        private StepList copyIn()
        {
            final StepList copied = new StepList();
            final boolean whole = segments.number() == 1;
            int first = 1;
            while (first < size)
            {
                final int block = (request.rank() + first) % size;
                final int number = whole ? Math.min(size - first, size - block) : 1;
                copied.add(steps.copy(
                    INPUT.at(request.blocks().offset(block) + segments.offset(segment)),
                    SCRATCH.at(set + first * length), number * length, done[segment % 2].toArray()));
                first += number;
            }
            return copied;
        }
    }
}
