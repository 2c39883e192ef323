/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.BlockSegments.Packing;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allgather for small data in {@code ceil(log2 n)} rounds, in which a rank sends {@code n - 1} blocks: both are
 * minimal, for any number of ranks. In round {@code i} a rank sends all blocks that it has, up to {@code 2^i}, to the
 * rank {@code 2^i} below. Blocks are collected in SCRATCH, the rank's own first, and copied to OUTPUT. Blocks longer
 * than a segment are gathered segment by segment in two sets of slots. Two are enough: when a rank has gathered a
 * segment of all blocks, all ranks have completed the previous one, because messages are sent even without elements.
 * Blocks may differ in length. SCRATCH: one segment of each block (twice that for more than one segment). The window is
 * not used.
 * <p>
 * Bruck, Ho, Kipnis, Upfal and Weathersby, <i>Efficient algorithms for all-to-all communications in multiport
 * message-passing systems</i>, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997,
 * doi:10.1109/71.642949.
 */
final class BruckAllgather implements ScheduleGenerator
{
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
        private final BlockSegments segments;
        private final long setLength;
        private final boolean uniform;
        private StepList done = new StepList();
        private int segment;
        private Packing packing;
        private long set;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            segments = new BlockSegments(request.blocks(), request.segment());
            setLength = segments.packing(0).total();
            uniform = request.blocks().isUniform();
            steps.scratch(Math.min(2, segments.number()) * setLength);
        }

        void write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                packing = segments.packing(segment);
                set = segment % 2 * setLength;
                gather();
            }
        }

        private void gather()
        {
            final StepList before = done;
            done = new StepList();
            final long own = packing.length(rank, 1);
            int ready = -1;
            if (own > 0 && size > 2)
            {
                ready = steps.copy(
                    INPUT.at(segment * segments.segmentLength()), SCRATCH.at(set), own, before.toArray());
                done.add(ready);
            }
            final StepList arrived = new StepList(before, ready);
            final StepList waitSteps = new StepList();
            for (int have = 1; have < size; have *= 2)
            {
                final int more = Math.min(have, size - have);
                final int to = Math.floorMod(rank - have, size);
                final int from = (rank + have) % size;
                final long length = packing.length(rank, more);
                final Location source = have == 1 ? INPUT.at(segment * segments.segmentLength()) : SCRATCH.at(set);
                if (length > 0)
                {
                    done.add(steps.put(
                        to, Channels.DATA, source, SCRATCH.at(set + packing.length(to, have)), length,
                        have == 1 ? before.toArray() : arrived.toArray()));
                }
                else
                {
                    done.add(steps.signal(to, Channels.DATA, arrived.toArray()));
                }
                final int wait = steps.await(from, Channels.DATA);
                arrived.add(wait);
                waitSteps.add(wait);
            }
            copyOut(waitSteps);
            done.addAll(waitSteps);
        }

        /**
         * Copies the other blocks to OUTPUT; both buffers have them in rank order, but SCRATCH starts with this rank's
         * and wraps around.
         */
        private void copyOut(final StepList arrived)
        {
            int first = 1;
            while (first < size)
            {
                final int block = (rank + first) % size;
                int number = isWhole() ? Math.min(size - first, size - block) : 1;
                while (first + number < size && block + number < size && isContiguous(block, number + 1))
                {
                    number++;
                }
                final long length = packing.length(block, number);
                if (length > 0)
                {
                    done.add(steps.copy(
                        SCRATCH.at(set + packing.length(rank, first)), OUTPUT.at(segments.offset(segment, block)),
                        length, arrived.toArray()));
                }
                first += number;
            }
        }

        /** Whether segments are whole blocks without gaps; spares comparing the places of all blocks. */
        private boolean isWhole()
        {
            return segments.number() == 1 && uniform;
        }

        /** Whether the segments of {@code number} blocks from {@code block} on are contiguous also in OUTPUT. */
        private boolean isContiguous(final int block, final int number)
        {
            final long from = segments.offset(segment, block);
            final int last = block + number - 1;
            final long to = segments.offset(segment, last) + segments.length(segment, last);
            return to - from == packing.length(block, number);
        }
    }
}
