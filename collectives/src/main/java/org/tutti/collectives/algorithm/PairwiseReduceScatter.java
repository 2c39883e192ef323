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

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce-scatter in rank order: every rank sends each other rank its block of INPUT, and combines the blocks that it
 * receives. Each rank sends {@code n - 1} blocks, the minimum, in one step, but to {@code n - 1} ranks. A slot per rank
 * keeps a received block until its other operand is complete: neighbours are combined first, so every element gets the
 * same bits as from the allreduce by recursive doubling. Blocks may differ in length. Blocks longer than a segment are
 * reduced segment by segment; when one is done, the senders get credits for its slots. SCRATCH:
 * {@code n * window * segment} elements.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521 (there: pairwise
 * exchange).
 */
final class PairwiseReduceScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    /**
     * An operand of a reduction.
     *
     * @param location location of the elements.
     * @param home     rank whose slot takes the result of a reduction with this as the left operand.
     * @param ready    step after which the operand is complete, or -1.
     */
    private record Operand(Location location, int home, int ready)
    {
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final FoldedRanks folded;
        private final BlockSegments segments;
        private final int window;
        private final long slotLength;
        private final int[] freed;
        private int segment;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            folded = new FoldedRanks(size);
            segments = new BlockSegments(request.blocks(), request.segment());
            window = request.window();
            slotLength = Math.min(request.segment(), request.blocks().longest());
            freed = new int[window];
            steps.scratch((long)Math.min(window, segments.number()) * size * slotLength);
        }

        Schedule write()
        {
            Arrays.fill(freed, -1);
            for (segment = 0; segment < segments.number(); segment++)
            {
                send();
                if (length(rank) > 0)
                {
                    receive();
                }
            }
            return steps.build();
        }

        /** Sends each other rank its block, the next rank first, so that not all send to the same rank at once. */
        private void send()
        {
            for (int step = 1; step < size; step++)
            {
                final int peer = (rank + step) % size;
                if (length(peer) > 0)
                {
                    final int credit = segment < window ? -1 : steps.await(peer, Channels.CREDIT);
                    steps.put(
                        peer, Channels.DATA, INPUT.at(segments.offset(segment, peer)), SCRATCH.at(slot(rank)),
                        length(peer), credit);
                }
            }
        }

        private void receive()
        {
            final int done = combined(0, folded.count()).ready();
            freed[segment % window] = done;
            for (int step = 1; step < size && segments.length(segment + window, rank) > 0; step++)
            {
                steps.signal(Math.floorMod(rank - step, size), Channels.CREDIT, done);
            }
        }

        /**
         * Combines the inputs of {@code number} folded ranks from {@code first} on; {@code number} is a power of two.
         */
        private Operand combined(final int first, final int number)
        {
            if (number > 1)
            {
                final Operand left = combined(first, number / 2);
                return combine(left, combined(first + number / 2, number / 2), number == folded.count());
            }
            final int of = folded.rank(first);
            final Operand input = input(of);
            final int extra = folded.extraOf(of);
            return extra == FoldedRanks.NONE ? input : combine(input, input(extra), false);
        }

        private Operand input(final int of)
        {
            return of == rank ? new Operand(INPUT.at(segments.offset(segment, rank)), rank, freed[segment % window]) :
                new Operand(SCRATCH.at(slot(of)), of, steps.await(of, Channels.DATA));
        }

        private Operand combine(final Operand left, final Operand right, final boolean last)
        {
            final Location destination =
                last ? OUTPUT.at(segment * segments.segmentLength()) : SCRATCH.at(slot(left.home()));
            final int done = steps.reduce(
                left.location(), right.location(), destination, length(rank), last, left.ready(), right.ready());
            return new Operand(destination, left.home(), done);
        }

        private long length(final int block)
        {
            return segments.length(segment, block);
        }

        private long slot(final int of)
        {
            return (segment % window * (long)size + of) * slotLength;
        }
    }
}
