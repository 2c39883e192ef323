/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.BlockSegments.Packing;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce-scatter for small data in {@code ceil(log2 n)} rounds, in which a rank sends {@code n - 1} blocks: both are
 * minimal, for any number of ranks. A rank starts with its own input of every block, its own block first. In each round
 * it sends the second half of its sums (the smaller half) to the rank {@code k} above, where {@code k} is the number of
 * sums that it keeps; that rank adds them to its first half. INPUT is copied to SCRATCH first, so that a round is one
 * message and one reduction. Blocks longer than a segment are reduced segment by segment in two sets of slots. Two are
 * enough: when a rank has reduced a segment, all ranks have completed the previous one, because messages are sent even
 * without elements. Blocks may differ in length. SCRATCH: up to {@code ceil(log2 n) + 1} segments of each block (twice
 * that for more than one segment). The operation must commute; the window is not used.
 * <p>
 * Träff, <i>Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms</i>, 2024, arXiv:2410.14234.
 */
final class CirculantReduceScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final BlockSegments segments;
        private final long setLength;
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
            packing = segments.packing(0);
            long longest = 0;
            for (int any = 0; any < size; any++)
            {
                longest = Math.max(longest, arrivalOffset(any, 1));
            }
            setLength = longest;
            steps.scratch(Math.min(2, segments.number()) * setLength);
        }

        Schedule write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                packing = segments.packing(segment);
                set = segment % 2 * setLength;
                reduce(copyIn());
            }
            return steps.build();
        }

        /**
         * Offset, in SCRATCH of the rank {@code receiver}, at which sums arrive in the round that all ranks begin with
         * {@code left} sums.
         */
        private long arrivalOffset(final int receiver, final int left)
        {
            long offset = packing.total();
            for (int sums = size; sums > left; sums = half(sums))
            {
                offset += packing.length(receiver, sums - half(sums));
            }
            return offset;
        }

        private static int half(final int sums)
        {
            return (sums + 1) / 2;
        }

        /** Copies this segment of all blocks to SCRATCH, this rank's block first. */
        private StepList copyIn()
        {
            final StepList copied = new StepList();
            int first = 0;
            while (first < size)
            {
                final int block = (rank + first) % size;
                int number = 1;
                while (first + number < size && block + number < size && isContiguous(block, number + 1))
                {
                    number++;
                }
                final long length = packing.length(block, number);
                if (length > 0)
                {
                    copied.add(steps.copy(
                        INPUT.at(segments.offset(segment, block)), SCRATCH.at(set + packing.length(rank, first)),
                        length, done.toArray()));
                }
                first += number;
            }
            return copied;
        }

        private void reduce(final StepList copied)
        {
            done = new StepList();
            StepList ready = copied;
            int left = size;
            while (left > 1)
            {
                final int kept = half(left);
                final int to = (rank + kept) % size;
                final int from = Math.floorMod(rank - kept, size);
                final long sent = packing.length(to, left - kept);
                if (sent > 0)
                {
                    done.add(steps.put(
                        to, Channels.DATA, SCRATCH.at(set + packing.length(rank, kept)),
                        SCRATCH.at(set + arrivalOffset(to, left)), sent, ready.toArray()));
                }
                else
                {
                    steps.signal(to, Channels.DATA, ready.toArray());
                }
                final int arrived = steps.await(from, Channels.DATA);
                ready = new StepList(ready, arrived);
                final long received = packing.length(rank, left - kept);
                if (received > 0)
                {
                    final boolean last = kept == 1;
                    ready.add(steps.reduce(
                        SCRATCH.at(set + arrivalOffset(rank, left)), SCRATCH.at(set),
                        last ? OUTPUT.at(segment * segments.segmentLength()) : SCRATCH.at(set), received, last,
                        ready.toArray()));
                }
                left = kept;
            }
            done.addAll(ready);
        }

        /** Whether the segments of {@code number} blocks from {@code block} on are contiguous also in INPUT. */
        private boolean isContiguous(final int block, final int number)
        {
            final long from = segments.offset(segment, block);
            final int last = block + number - 1;
            final long to = segments.offset(segment, last) + segments.length(segment, last);
            return to - from == packing.length(block, number);
        }
    }
}
