/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.RingPattern;
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
 * Reduce-scatter for large data: partial sums of blocks travel around a ring, each to the rank that it belongs to. Each
 * rank sends {@code n - 1} blocks, the minimum, in {@code n - 1} steps, to one neighbour. Partial sums arrive in slots
 * of SCRATCH; their sums with INPUT go to other slots, from which they are sent on. Blocks may differ in length.
 * SCRATCH: {@code 2 * window * segment} elements. Each block is combined in rank order, starting after its own rank:
 * the operation must commute.
 * <p>
 * Patarasuk and Yuan, <i>Bandwidth optimal all-reduce algorithms for clusters of workstations</i>, Journal of Parallel
 * and Distributed Computing 69(2), 2009, doi:10.1016/j.jpdc.2008.09.002.
 */
final class RingReduceScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    /** Writes the schedule of one rank. A <i>message</i> is a PUT to the next rank; messages are counted from 0. */
    private static final class Writer extends RingPipeline
    {
        private final ScheduleBuilder steps;
        private final RingPattern ring;
        private final BlockSegments chunks;
        private final int window;
        private final long slotLength;
        private final int incoming;
        private final int[] sentFrom;
        private int sent;
        private int received;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            super(request);
            this.steps = steps;
            ring = new RingPattern(request.rank(), request.size());
            chunks = new BlockSegments(request.blocks(), request.segment());
            window = request.window();
            slotLength = Math.min(request.segment(), request.blocks().longest());
            sentFrom = new int[window];
            int messages = 0;
            for (int step = 0; step < ring.size() - 1; step++)
            {
                messages += chunks.segments(sentIn(step + 1)).number();
            }
            incoming = messages;
            steps.scratch(2L * window * slotLength);
        }

        Schedule write()
        {
            Arrays.fill(sentFrom, -1);
            writeLaps(ring.size() - 1, chunks.number());
            return steps.build();
        }

        @Override
        void send(final int step, final int index, final int ready)
        {
            final int chunk = sentIn(step);
            final long length = chunks.length(index, chunk);
            if (length == 0)
            {
                return;
            }
            final long slot = sent % window * slotLength;
            final int credit = sent++ < window ? -1 : steps.await(ring.next(), Channels.CREDIT);
            if (step == 0)
            {
                steps.put(
                    ring.next(), Channels.DATA, INPUT.at(chunks.offset(index, chunk)), SCRATCH.at(slot), length,
                    credit);
            }
            else
            {
                // The segment sent is the one received just before.
                final int sum = (received - 1) % window;
                sentFrom[sum] = steps.put(
                    ring.next(), Channels.DATA, SCRATCH.at((window + sum) * slotLength), SCRATCH.at(slot), length,
                    ready, credit);
            }
        }

        @Override
        int receive(final int step, final int index)
        {
            final int chunk = sentIn(step + 1);
            final long length = chunks.length(index, chunk);
            if (length == 0)
            {
                return -1;
            }
            final int slot = received % window;
            final boolean last = step == ring.size() - 2;
            final Location destination =
                last ? OUTPUT.at(index * chunks.segmentLength()) : SCRATCH.at((window + slot) * slotLength);
            final int arrived = steps.await(ring.previous(), Channels.DATA);
            final int ready = steps.reduce(
                SCRATCH.at(slot * slotLength), INPUT.at(chunks.offset(index, chunk)), destination, length, last,
                arrived, last ? -1 : sentFrom[slot]);
            if (received++ + window < incoming)
            {
                steps.signal(ring.previous(), Channels.CREDIT, ready);
            }
            return ready;
        }

        /** The chunk that this rank sends in a step and receives in the step before. It receives its own chunk last. */
        private int sentIn(final int step)
        {
            return Math.floorMod(ring.rank() - 1 - step, ring.size());
        }
    }
}
