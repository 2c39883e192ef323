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
 * Alltoall for small data in {@code ceil(log2 n)} rounds, for any number of ranks: in round {@code i} a rank sends all
 * blocks whose distance, in ranks from source to destination, has bit {@code i} set, in one message to the rank
 * {@code 2^i} above. A block is sent at most once per round: about {@code n / 2} blocks a round. Blocks are packed in
 * SCRATCH, separately for each round. Blocks longer than a segment are exchanged segment by segment in two sets of
 * slots: when a rank has received a segment from all ranks, all ranks have completed the previous one. All blocks have
 * the same length. SCRATCH: about {@code n * ceil(log2 n)} segments (twice that for longer blocks). The window is not
 * used.
 * <p>
 * Bruck, Ho, Kipnis, Upfal and Weathersby, <i>Efficient algorithms for all-to-all communications in multiport
 * message-passing systems</i>, IEEE Transactions on Parallel and Distributed Systems 8(11), 1997,
 * doi:10.1109/71.642949.
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
                for (int distance = bit; number > 1 && distance < size; distance++)
                {
                    if ((distance & bit) != 0)
                    {
                        final int copy = steps.copy(
                            location(distance, bit), SCRATCH.at(packed + position(distance, bit) * length),
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
            // In place, the copies overwrite the blocks that are sent.
            if (request.inPlace())
            {
                ready.addAll(readInput);
            }
            for (int distance = 1; distance < size; distance++)
            {
                final int block = Math.floorMod(rank - distance, size);
                done.add(steps.copy(
                    location(distance, Integer.highestOneBit(distance) << 1),
                    OUTPUT.at(request.received().offset(block) + segments.offset(segment)), length, ready.toArray()));
            }
        }

        /** Where the block of a distance is before the round of a bit: in INPUT until the block is first sent. */
        private Location location(final int distance, final int bit)
        {
            final int last = Integer.highestOneBit(distance & (bit - 1));
            return last == 0 ? INPUT.at(request.blocks().offset((rank + distance) % size) + segments.offset(segment)) :
                SCRATCH.at(set + (firstSlot(last) + position(size, last) + position(distance, last)) * length);
        }

        /**
         * The number of shorter distances that have the bit set: the index of this distance's block in the message of
         * the bit's round.
         */
        private static int position(final int distance, final int bit)
        {
            return distance / (2 * bit) * bit + Math.max(0, distance % (2 * bit) - bit);
        }

        /**
         * The first slot of a round; a round has slots for the blocks that it sends, then for those that it receives.
         */
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
