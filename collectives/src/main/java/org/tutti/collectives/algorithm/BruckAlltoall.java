/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Alltoall of small data in {@code ceil(log2 n)} rounds for any number of ranks: in round {@code i} every rank sends
 * the blocks whose way, counted in ranks, has bit {@code i} set, all together, to the rank {@code 2^i} above. A block
 * is sent up to as many times as there are rounds: about {@code n / 2} blocks a round.
 * <p>
 * Bruck, Ho, Kipnis, Upfal and Weathersby, <i>Efficient algorithms for all-to-all communications in multiport
 * message-passing systems</i>, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997,
 * doi:10.1109/71.642949.
 * <p>
 * Blocks are packed in SCRATCH, a round's apart from another's. Those longer than a segment are exchanged segment by
 * segment, in two sets of slots: when a rank has a segment, all have done the one before.
 * <p>
 * SCRATCH: about {@code n * ceil(log2 n)} segments (twice that for more than one). Blocks are of one length; the window
 * is not used.
 */
final class BruckAlltoall implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1)
        {
            new Writer(steps, request).write();
        }
        OwnBlock.keep(steps, request);
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final int rank;
        private final int size;
        private final Segments segments;
        private final int slotsPerSet;
        private StepList done = new StepList();
        private int segment;
        private long length;
        private long set;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            this.request = request;
            rank = request.rank();
            size = request.size();
            segments = new Segments(0, request.count(), request.segment());
            slotsPerSet = firstSlot(size);
            steps.scratch(Math.min(2L, segments.number()) * slotsPerSet * segments.longest());
        }

        void write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                length = segments.length(segment);
                set = segment % 2L * slotsPerSet * segments.longest();
                exchange();
            }
        }

        private void exchange()
        {
            final StepList ready = done;
            final StepList readInput = new StepList();
            done = new StepList();
            for (int bit = 1; bit < size; bit *= 2)
            {
                final int to = (rank + bit) % size;
                final int number = position(size, bit);
                final long packed = set + firstSlot(bit) * length;
                final StepList filled = new StepList();
                for (int way = bit; number > 1 && way < size; way++)
                {
                    if ((way & bit) != 0)
                    {
                        final int copy = steps.copy(
                            location(way, bit), SCRATCH.at(packed + position(way, bit) * length),
                            length, ready.toArray());
                        filled.add(copy);
                        readInput.add(copy);
                    }
                }
                final boolean single = number == 1;
                final int put = steps.put(
                    to, Channels.DATA, single ? location(bit, bit) : SCRATCH.at(packed),
                    SCRATCH.at(packed + number * length), number * length, (single ? ready : filled).toArray());
                readInput.add(single ? put : -1);
                done.add(put);
                ready.add(steps.await(Math.floorMod(rank - bit, size), Channels.DATA));
            }
            // In place, what arrives goes where what was sent comes from.
            if (request.inPlace())
            {
                ready.addAll(readInput);
            }
            for (int way = 1; way < size; way++)
            {
                final int block = Math.floorMod(rank - way, size);
                done.add(steps.copy(
                    location(way, Integer.highestOneBit(way) << 1),
                    OUTPUT.at(request.received().offset(block) + segments.offset(segment)), length, ready.toArray()));
            }
        }

        /** Where the block of a way is before the round of a bit: in INPUT until it has been sent. */
        private Location location(final int way, final int bit)
        {
            final int last = Integer.highestOneBit(way & (bit - 1));
            return last == 0 ? INPUT.at(request.blocks().offset((rank + way) % size) + segments.offset(segment)) :
                SCRATCH.at(set + (firstSlot(last) + position(size, last) + position(way, last)) * length);
        }

        /** How many ways below one have a bit set: its place in what is sent in that round. */
        private static int position(final int way, final int bit)
        {
            return way / (2 * bit) * bit + Math.max(0, way % (2 * bit) - bit);
        }

        /** The slots of a round: those that are sent, then those that arrive. */
        private int firstSlot(final int bit)
        {
            int slots = 0;
            for (int earlier = 1; earlier < bit && earlier < size; earlier *= 2)
            {
                slots += 2 * position(size, earlier);
            }
            return slots;
        }
    }
}
