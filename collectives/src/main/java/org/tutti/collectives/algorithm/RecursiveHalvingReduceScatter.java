/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.FoldedRanks;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce-scatter for small and medium data in {@code log2 n} rounds, in which a rank sends {@code n - 1} blocks: both
 * are minimal. In round {@code i} a rank exchanges half of the sums that it has left with the rank whose number differs
 * in bit {@code i}, so operands are combined in rank order, neighbours first. INPUT is copied to SCRATCH first, with
 * blocks in bit-reversed rank order, which makes each message contiguous. If n is not a power of two, each extra rank
 * (the odd ones among the first ranks) sends all its blocks to the rank below and receives its own sum from it: two
 * more rounds. Blocks longer than a segment are reduced segment by segment in two sets of slots: a rank sends a
 * segment, even without elements, after it has completed the one before. Blocks may differ in length. SCRATCH: up to
 * {@code log2 n + 2} segments of each block (twice that for more than one segment); 2 if all blocks are equally long
 * and n is a power of two. The window is not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (there from the highest
 * bit down, for operations that commute).
 */
final class RecursiveHalvingReduceScatter implements ScheduleGenerator
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
        private final FoldedRanks folded;
        private final int foldedRank;
        private final int proxy;
        private final int extra;
        private final BlockSegments segments;
        private final long[] slots;
        private final long setLength;
        private long[] ends;
        private int segment;
        private long set;
        private int extraExposed = -1;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            folded = new FoldedRanks(request.size());
            foldedRank = folded.foldedRank(rank);
            proxy = folded.rank(foldedRank);
            extra = folded.extraOf(rank);
            segments = new BlockSegments(request.blocks(), request.segment());
            ends = ends(0);
            slots = slots();
            setLength = slots[folded.rounds()] + (folded.hasExtras() ? ends[folded.count()] : 0);
            steps.scratch(Math.min(2, segments.number()) * setLength);
        }

        Schedule write()
        {
            StepList done = new StepList();
            for (segment = 0; segment < segments.number(); segment++)
            {
                ends = ends(segment);
                set = segment % 2 * setLength;
                done = proxy == rank ? halve(fold(copyIn(done))) : reduceAsExtra(copyIn(done));
            }
            return steps.build();
        }

        /** Offsets in SCRATCH at which the blocks of each position, those of a rank and of its extra, end. */
        private long[] ends(final int ofSegment)
        {
            final long[] found = new long[folded.count() + 1];
            for (int position = 0; position < folded.count(); position++)
            {
                final int other = rankAt(position);
                final int otherExtra = folded.extraOf(other);
                found[position + 1] = found[position] + segments.length(ofSegment, other) +
                    (otherExtra == FoldedRanks.NONE ? 0 : segments.length(ofSegment, otherExtra));
            }
            return found;
        }

        /**
         * Offsets in SCRATCH, the same on all ranks, at which the data of each round arrives, followed by the offset at
         * which the data of an extra arrives.
         */
        private long[] slots()
        {
            final long[] found = new long[folded.rounds() + 1];
            found[0] = ends[folded.count()];
            for (int i = 0; i < folded.rounds(); i++)
            {
                final int half = folded.count() >> (i + 1);
                long longest = 0;
                for (int first = 0; first < folded.count(); first += half)
                {
                    longest = Math.max(longest, ends[first + half] - ends[first]);
                }
                found[i + 1] = found[i] + longest;
            }
            return found;
        }

        private int rankAt(final int position)
        {
            // In two shifts, because Java shifts by at most 31 bits: for a single folded rank the result is 0.
            return folded.rank(Integer.reverse(position) >>> 1 >>> (31 - folded.rounds()));
        }

        private StepList copyIn(final StepList done)
        {
            final StepList copied = new StepList();
            for (int position = 0; position < folded.count(); position++)
            {
                final int block = rankAt(position);
                final int extraBlock = folded.extraOf(block);
                copy(copied, block, ends[position], done);
                if (extraBlock != FoldedRanks.NONE)
                {
                    copy(copied, extraBlock, ends[position] + segments.length(segment, block), done);
                }
            }
            return copied;
        }

        private void copy(final StepList copied, final int block, final long to, final StepList done)
        {
            if (segments.length(segment, block) > 0)
            {
                copied.add(steps.copy(
                    INPUT.at(segments.offset(segment, block)), SCRATCH.at(set + to), segments.length(segment, block),
                    done.toArray()));
            }
        }

        private StepList reduceAsExtra(final StepList copied)
        {
            if (segment == 0 && segments.length(segment, rank) > 0)
            {
                steps.expose(proxy, Channels.EXPOSE);
            }
            steps.put(
                proxy, Channels.UP, SCRATCH.at(set), SCRATCH.at(set + slots[folded.rounds()]), ends[folded.count()],
                copied.toArray());
            return new StepList(new StepList(), steps.await(proxy, Channels.DOWN));
        }

        private StepList fold(final StepList copied)
        {
            return extra == FoldedRanks.NONE ? copied : new StepList(new StepList(), steps.reduce(
                SCRATCH.at(set), SCRATCH.at(set + slots[folded.rounds()]), SCRATCH.at(set), ends[folded.count()],
                false, new StepList(copied, steps.await(extra, Channels.UP)).toArray()));
        }

        private StepList halve(final StepList added)
        {
            int first = 0;
            int left = folded.count();
            StepList ready = added;
            for (int round = 0; round < folded.rounds(); round++)
            {
                final int peer = folded.rank(foldedRank ^ (1 << round));
                left /= 2;
                final int given = isUpper(round) ? first : first + left;
                first = isUpper(round) ? first + left : first;
                final Location arrival = SCRATCH.at(set + slots[round]);
                steps.putOrSignal(
                    peer, Channels.DATA, SCRATCH.at(set + ends[given]), arrival, ends[given + left] - ends[given],
                    ready.toArray());
                ready = new StepList(new StepList(), steps.await(peer, Channels.DATA, ready.toArray()));
                if (left > 1)
                {
                    final Location own = SCRATCH.at(set + ends[first]);
                    final int sum = sum(round, own, arrival, own, ends[first + left] - ends[first], ready);
                    ready = sum < 0 ? ready : new StepList(new StepList(), sum);
                }
            }
            return finish(first, ready);
        }

        /** The last round: sums this rank's block into OUTPUT, and sends the sum of its extra's block to the extra. */
        private StepList finish(final int position, final StepList arrived)
        {
            final int last = folded.rounds() - 1;
            final long length = segments.length(segment, rank);
            final Location output = OUTPUT.at(segment * segments.segmentLength());
            final long own = set + ends[position];
            final long arrival = set + slots[last];
            final StepList done = new StepList(
                arrived, sum(last, SCRATCH.at(own), SCRATCH.at(arrival), output, length, arrived));
            if (extra != FoldedRanks.NONE)
            {
                final long others = segments.length(segment, extra);
                final Location ofExtra = SCRATCH.at(own + length);
                final int sum = sum(last, ofExtra, SCRATCH.at(arrival + length), ofExtra, others, arrived);
                extraExposed = segment == 0 && others > 0 ? steps.await(extra, Channels.EXPOSE) : extraExposed;
                steps.putOrSignal(
                    extra, Channels.DOWN, ofExtra, output, others,
                    new StepList(new StepList(arrived, sum), extraExposed).toArray());
                done.add(sum);
            }
            return done;
        }

        private boolean isUpper(final int round)
        {
            return ((foldedRank >> round) & 1) == 1;
        }

        /**
         * Adds the data received in a round to this rank's sums, in rank order. Returns the step, or -1 if there are no
         * elements.
         */
        private int sum(
            final int round, final Location own, final Location arrival, final Location destination,
            final long count, final StepList after)
        {
            final boolean isLast = round == folded.rounds() - 1;
            return count == 0 ? -1 : steps.reduce(
                isUpper(round) ? arrival : own, isUpper(round) ? own : arrival, destination, count, isLast,
                after.toArray());
        }
    }
}
