/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.AggregatedTrees;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allgather for small data on many ranks by parallel aggregated trees: each rank's block goes down a binomial tree, and
 * a message carries the blocks of as many trees as fit a segment. If all trees fit, there are {@code ceil(log2 n)}
 * rounds; if {@code a} fit, {@code log2 a + n / a - 1}. A rank sends {@code n - 1} blocks, the minimum; the longest
 * distances come first, when messages are short. A block stays in SCRATCH only until it is forwarded, so the number of
 * slots is logarithmic in n; a credit tells the sender that a slot is free. Blocks longer than a segment are gathered
 * segment by segment; blocks may differ in length. If n is not a power of two, up to twice as many messages are sent.
 * SCRATCH: at most {@code ceil(log2 n) + 1} segments. The window is not used.
 * <p>
 * Jeaugey, <i>PAT: a new algorithm for all-gather and reduce-scatter operations at scale</i>, 2025, arXiv:2506.20252.
 */
final class PatAllgather implements ScheduleGenerator
{
    private static final int NONE = -1;

    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new Writer(steps, request).write();
        }
        OwnBlock.copy(steps, request);
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final PatBlocks blocks;
        private final AggregatedTrees.Run[] runs;
        /** By run: the previous run that used the slot that this run writes, possibly in the previous segment. */
        private final int[] lastUse;
        /**
         * Linked lists of runs, one list per run: the runs that overwrite a slot that the list's run was the last to
         * use. {@code firstFreed} has the first run of each list, {@code nextFreed} the successor of each run.
         */
        private final int[] firstFreed;
        private final int[] nextFreed;
        /** By slot: the steps that filled it, and the steps that have used it since. */
        private final StepList[] filled;
        private final StepList[] users;
        private int segment;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            blocks = new PatBlocks(request);
            runs = blocks.trees.runs().toArray(AggregatedTrees.Run[]::new);
            lastUse = lastUses();
            firstFreed = new int[runs.length];
            nextFreed = new int[runs.length];
            Arrays.fill(firstFreed, NONE);
            for (int i = runs.length - 1; i >= 0; i--)
            {
                if (runs[i].isFirst())
                {
                    nextFreed[i] = firstFreed[lastUse[i]];
                    firstFreed[lastUse[i]] = i;
                }
            }
            filled = new StepList[blocks.trees.slots()];
            users = new StepList[blocks.trees.slots()];
            Arrays.setAll(filled, (slot) -> new StepList());
            Arrays.setAll(users, (slot) -> new StepList());
            steps.scratch(blocks.length());
        }

        private int[] lastUses()
        {
            final int[] last = new int[blocks.trees.slots()];
            final int[] found = new int[runs.length];
            Arrays.fill(last, NONE);
            // Goes through the runs twice, because the first use of a slot in a segment follows its last use in the
            // segment before.
            for (int i = 0; i < 2 * runs.length; i++)
            {
                final AggregatedTrees.Run run = runs[i % runs.length];
                found[i % runs.length] =
                    isSpread(run) && i % runs.length > 0 ? found[0] : last[run.toSlot()];
                last[run.slot()] = i % runs.length;
                last[run.toSlot()] = i % runs.length;
            }
            return found;
        }

        /** Whether a run fills the slot of the roots, which is free when a segment begins. */
        private static boolean isSpread(final AggregatedTrees.Run run)
        {
            return run.toSlot() == 0;
        }

        void write()
        {
            for (segment = 0; segment < blocks.segments.number(); segment++)
            {
                copyIn();
                for (int i = 0; i < runs.length; i++)
                {
                    send(i);
                    receive(i);
                    grant(i);
                }
            }
        }

        private void copyIn()
        {
            final StepList before = users[0];
            users[0] = new StepList();
            filled[0] = new StepList();
            final long length = blocks.segments.length(segment, rank);
            if (length > 0)
            {
                filled[0].add(steps.copy(
                    INPUT.at(segment * blocks.segments.segmentLength()), SCRATCH.at(0), length, before.toArray()));
            }
            else
            {
                filled[0].addAll(before);
            }
        }

        private void send(final int index)
        {
            final AggregatedTrees.Run run = runs[index];
            final int to = (rank + run.distance()) % size;
            final boolean isFree = !run.isFirst() || (segment == 0 && lastUse[index] >= index);
            final int credit = isFree ? NONE : steps.await(to, Channels.CREDIT);
            users[run.slot()].add(steps.putOrSignal(
                to, Channels.DATA, SCRATCH.at(blocks.offset(segment, rank, run.slot(), run.node(), run.position())),
                SCRATCH.at(blocks.offset(segment, to, run.toSlot(), run.toNode(), run.toPosition())),
                blocks.length(segment, rank, run.node(), run.position(), run.count()),
                new StepList(filled[run.slot()], credit).toArray()));
        }

        private void receive(final int index)
        {
            final AggregatedTrees.Run run = runs[index];
            final int slot = run.toSlot();
            if (run.isFirst() && !isSpread(run))
            {
                filled[slot] = new StepList();
                users[slot] = new StepList();
            }
            final int arrived = steps.await(Math.floorMod(rank - run.distance(), size), Channels.DATA);
            filled[slot].add(arrived);
            if (blocks.length(segment, rank, run.toNode(), run.toPosition(), run.count()) == 0)
            {
                users[slot].add(arrived);
            }
            for (int position = run.toPosition(); position < run.toPosition() + run.count(); position++)
            {
                final long length = blocks.length(segment, rank, run.toNode(), position);
                if (length > 0)
                {
                    users[slot].add(steps.copy(
                        SCRATCH.at(blocks.offset(segment, rank, slot, run.toNode(), position)),
                        OUTPUT.at(blocks.segments.offset(segment, blocks.block(rank, run.toNode(), position))), length,
                        arrived));
                }
            }
        }

        /** Sends credits for the slots whose last use this run was. */
        private void grant(final int index)
        {
            for (int i = firstFreed[index]; i != NONE; i = nextFreed[i])
            {
                if (i > index || segment + 1 < blocks.segments.number())
                {
                    steps.signal(
                        Math.floorMod(rank - runs[i].distance(), size), Channels.CREDIT,
                        users[runs[i].toSlot()].toArray());
                }
            }
        }
    }
}
