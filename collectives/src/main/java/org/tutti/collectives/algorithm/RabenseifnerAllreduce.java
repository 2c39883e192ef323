/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.FoldedRanks;
import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allreduce for medium and large data: a reduce-scatter by recursive halving, then an allgather by recursive doubling.
 * In {@code 2 log2 n} rounds a rank sends {@code 2 (n - 1) / n} of the data, the minimum. In round {@code i} a rank
 * exchanges half of the chunks that it has left with the rank whose number differs in bit {@code i}, so neighbours are
 * summed first. If n is not a power of two, each extra rank (the odd ones among the first ranks) sends its input to the
 * rank below and receives the result from it: two more rounds, each with all the data. Chunks go to SCRATCH, sums
 * directly to OUTPUT. Data longer than a segment is reduced segment by segment in two sets of slots: a rank sends a
 * segment after it has received all of the previous one, so each message is also the credit for the slots of the
 * previous segment. SCRATCH: one segment, two if n is not a power of two (twice that for longer data), rounded up to a
 * multiple of n elements. Inputs are combined in rank order. The window is not used.
 * <p>
 * Rabenseifner, <i>Optimization of Collective Reduction Operations</i>, International Conference on Computational
 * Science 2004, LNCS 3036, doi:10.1007/978-3-540-24685-5_1.
 */
final class RabenseifnerAllreduce implements ScheduleGenerator
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
        private final FoldedRanks folded;
        private final boolean isExtra;
        private final int foldedRank;
        private final int proxy;
        private final int extra;
        private final int rounds;
        private final Segments segments;
        private final long slot;
        private final long foldSlot;
        private final long setLength;
        private final int[] exposed;
        private int extraExposed = -1;
        private long set;
        private long offset;
        private long length;
        private Partition chunks;
        /** The chunks that this rank has left: {@code left} chunks from {@code first} on. */
        private int first;
        private int left;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            folded = new FoldedRanks(request.size());
            isExtra = folded.isExtra(request.rank());
            foldedRank = folded.foldedRank(request.rank());
            proxy = folded.rank(foldedRank);
            extra = folded.extraOf(request.rank());
            rounds = folded.rounds();
            segments = new Segments(0, request.count(), request.segment());
            slot = new Partition(segments.longest(), folded.count()).longest();
            foldSlot = (folded.count() - 1) * slot;
            setLength = foldSlot + (folded.hasExtras() ? segments.longest() : 0);
            exposed = new int[rounds];
            Arrays.fill(exposed, -1);
            steps.scratch(Math.min(2, segments.number()) * setLength);
        }

        Schedule write()
        {
            int done = -1;
            for (int segment = 0; segment < segments.number(); segment++)
            {
                set = segment % 2 * setLength;
                offset = segments.offset(segment);
                length = segments.length(segment);
                chunks = new Partition(length, folded.count());
                if (isExtra)
                {
                    done = reduceAsExtra(segment, done);
                }
                else
                {
                    expose(segment);
                    done = gather(scatter(fold(done)), segment);
                }
            }
            return steps.build();
        }

        private int reduceAsExtra(final int segment, final int done)
        {
            if (segment == 0)
            {
                steps.expose(proxy, Channels.EXPOSE);
            }
            steps.put(proxy, Channels.UP, INPUT.at(offset), SCRATCH.at(set + foldSlot), length, done);
            return steps.await(proxy, Channels.DOWN);
        }

        /** Exposes OUTPUT to the peers that write to it. */
        private void expose(final int segment)
        {
            left = folded.count();
            for (int i = 0, own = 0; segment == 0 && i < rounds; i++)
            {
                left /= 2;
                if (elements(isUpper(i) ? own : own + left) > 0)
                {
                    steps.expose(peer(i), Channels.EXPOSE);
                }
                own = isUpper(i) ? own + left : own;
            }
        }

        private int fold(final int done)
        {
            return extra == FoldedRanks.NONE ? done : steps.reduce(
                INPUT.at(offset), SCRATCH.at(set + foldSlot), OUTPUT.at(offset), length, false,
                steps.await(extra, Channels.UP), done);
        }

        private int scatter(final int added)
        {
            first = 0;
            left = folded.count();
            BufferId sum = extra == FoldedRanks.NONE ? INPUT : OUTPUT;
            int ready = added;
            for (int i = 0; i < rounds; i++)
            {
                final boolean isUpper = isUpper(i);
                left /= 2;
                final int given = isUpper ? first : first + left;
                first = isUpper ? first + left : first;
                final Location arrival = SCRATCH.at(set + (folded.count() - 2L * left) * slot);
                steps.putOrSignal(
                    peer(i), Channels.UP, sum.at(offset + chunks.offset(given)), arrival, elements(given), ready);
                ready = steps.await(peer(i), Channels.UP, ready);
                final long own = offset + chunks.offset(first);
                if (elements(first) > 0)
                {
                    final boolean isLast = i == rounds - 1;
                    ready = isUpper ?
                        steps.reduce(arrival, sum.at(own), OUTPUT.at(own), elements(first), isLast, ready) :
                        steps.reduce(sum.at(own), arrival, OUTPUT.at(own), elements(first), isLast, ready);
                }
                sum = OUTPUT;
            }
            return ready;
        }

        private int gather(final int reduced, final int segment)
        {
            int ready = reduced;
            for (int i = rounds - 1; i >= 0; i--)
            {
                exposed[i] = segment == 0 && elements(first) > 0 ? steps.await(peer(i), Channels.EXPOSE) : exposed[i];
                final Location own = OUTPUT.at(offset + chunks.offset(first));
                steps.putOrSignal(peer(i), Channels.DOWN, own, own, elements(first), ready, exposed[i]);
                ready = steps.await(peer(i), Channels.DOWN, ready);
                first = isUpper(i) ? first - left : first;
                left *= 2;
            }
            if (extra != FoldedRanks.NONE)
            {
                extraExposed = segment == 0 ? steps.await(extra, Channels.EXPOSE) : extraExposed;
                steps.put(extra, Channels.DOWN, OUTPUT.at(offset), OUTPUT.at(offset), length, ready, extraExposed);
            }
            return ready;
        }

        private int peer(final int round)
        {
            return folded.rank(foldedRank ^ (1 << round));
        }

        private boolean isUpper(final int round)
        {
            return ((foldedRank >> round) & 1) == 1;
        }

        /** The number of elements in the {@code left} chunks from {@code chunk} on. */
        private long elements(final int chunk)
        {
            return chunks.offset(chunk + left) - chunks.offset(chunk);
        }
    }
}
