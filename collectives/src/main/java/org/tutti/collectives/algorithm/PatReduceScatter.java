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
 * Reduce-scatter for small data on many ranks by parallel aggregated trees, the reverse of the allgather: the sums of
 * each block go up a binomial tree to its rank, and a message carries the blocks of as many trees as fit a segment. If
 * all trees fit, there are {@code ceil(log2 n)} rounds; if {@code a} fit, {@code log2 a + n / a - 1}. A rank sends
 * {@code n - 1} blocks, the minimum; the longest distances come last, when messages are short. A sum stays in SCRATCH
 * only until it is complete. Arriving blocks have separate slots, as many as the sums; a credit tells the sender that a
 * slot is free. Blocks longer than a segment are reduced segment by segment; blocks may differ in length. If n is not a
 * power of two, up to twice as many messages are sent. SCRATCH: at most {@code 2 ceil(log2 n) + 2} segments. The
 * operation must commute; the window is not used.
 * <p>
 * Jeaugey, <i>PAT: a new algorithm for all-gather and reduce-scatter operations at scale</i>, 2025, arXiv:2506.20252.
 */
final class PatReduceScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    private static final class Writer
    {
        private static final int NONE = -1;

        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final PatBlocks blocks;
        private final AggregatedTrees.Run[] runs;
        /** By slot: the node whose sums the slot holds, and the latest steps that write or read these sums. */
        private final int[] nodes;
        private final StepList[] sums;
        /** By run: whether a run of the same distance comes before it, or after it. Runs execute in reverse order. */
        private final boolean[] hasEarlier;
        private final boolean[] hasLater;
        private int segment;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            blocks = new PatBlocks(request);
            runs = blocks.trees.runs().toArray(AggregatedTrees.Run[]::new);
            hasEarlier = new boolean[runs.length];
            hasLater = new boolean[runs.length];
            findDistances();
            nodes = new int[blocks.trees.slots()];
            sums = new StepList[nodes.length];
            Arrays.setAll(sums, (slot) -> new StepList());
            steps.scratch(2 * blocks.length());
        }

        private void findDistances()
        {
            // Distances are powers of two, so one int can hold the set of distances seen.
            int seen = 0;
            for (int i = 0; i < runs.length; i++)
            {
                hasEarlier[i] = (seen & runs[i].distance()) != 0;
                seen |= runs[i].distance();
            }
            seen = 0;
            for (int i = runs.length - 1; i >= 0; i--)
            {
                hasLater[i] = (seen & runs[i].distance()) != 0;
                seen |= runs[i].distance();
            }
        }

        Schedule write()
        {
            for (segment = 0; segment < blocks.segments.number(); segment++)
            {
                Arrays.fill(nodes, NONE);
                for (int i = runs.length - 1; i >= 0; i--)
                {
                    send(i);
                    receive(i);
                }
            }
            return steps.build();
        }

        /** Ensures that a slot holds the sums of a node, which start as this rank's inputs. */
        private void begin(final int slot, final int node)
        {
            if (nodes[slot] == node)
            {
                return;
            }
            nodes[slot] = node;
            final StepList before = sums[slot];
            final StepList copied = new StepList();
            for (int position = 0; position < blocks.trees.trees(); position++)
            {
                final long length = blocks.length(segment, rank, node, position);
                if (length > 0)
                {
                    copied.add(steps.copy(
                        INPUT.at(blocks.segments.offset(segment, blocks.block(rank, node, position))),
                        SCRATCH.at(blocks.offset(segment, rank, slot, node, position)), length, before.toArray()));
                }
            }
            // The copies depend on the steps before, so depending on the copies is enough.
            sums[slot] = copied.isEmpty() ? before : copied;
        }

        private void send(final int index)
        {
            final AggregatedTrees.Run run = runs[index];
            final int to = Math.floorMod(rank - run.distance(), size);
            begin(run.toSlot(), run.toNode());
            final boolean isUsed = isLastOfHop(index) && (segment > 0 || hasLater[index]);
            final int credit = isUsed ? steps.await(to, Channels.CREDIT) : NONE;
            final int sent = steps.putOrSignal(
                to, Channels.DATA,
                SCRATCH.at(blocks.offset(segment, rank, run.toSlot(), run.toNode(), run.toPosition())),
                SCRATCH.at(blocks.arrivalOffset(run)),
                blocks.length(segment, rank, run.toNode(), run.toPosition(), run.count()),
                new StepList(sums[run.toSlot()], credit).toArray());
            sums[run.toSlot()].add(sent);
        }

        private void receive(final int index)
        {
            final AggregatedTrees.Run run = runs[index];
            final int from = (rank + run.distance()) % size;
            begin(run.slot(), run.node());
            int ready = steps.await(from, Channels.DATA);
            final long length = blocks.length(segment, rank, run.node(), run.position(), run.count());
            if (length > 0)
            {
                final boolean isLast = index == 0;
                final long sum = blocks.offset(segment, rank, run.slot(), run.node(), run.position());
                ready = steps.reduce(
                    SCRATCH.at(blocks.arrivalOffset(run)), SCRATCH.at(sum),
                    isLast ? OUTPUT.at(segment * blocks.segments.segmentLength()) : SCRATCH.at(sum), length, isLast,
                    new StepList(sums[run.slot()], ready).toArray());
                sums[run.slot()] = new StepList();
            }
            sums[run.slot()].add(ready);
            if (run.isFirst() && (segment + 1 < blocks.segments.number() || hasEarlier[index]))
            {
                steps.signal(from, Channels.CREDIT, sums[run.slot()].toArray());
            }
        }

        /** Whether this run is the last of its hop, and thus the first to execute. */
        private boolean isLastOfHop(final int index)
        {
            return index + 1 == runs.length || runs[index + 1].isFirst();
        }
    }
}
