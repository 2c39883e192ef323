/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Scan for small data in {@code ceil(log2 n)} rounds: in round {@code i} a rank sends the sum of the {@code 2^i} inputs
 * that end with its own to the rank {@code 2^i} above, which adds it as the left operand. All messages go through
 * SCRATCH, where each round has its own slots. Data longer than a segment is scanned segment by segment in two sets of
 * slots, with credits from the third segment on. SCRATCH: {@code 3 ceil(log2 n)} segments (twice that for longer data).
 * Inputs are combined in rank order. The window is not used.
 * <p>
 * Hillis and Steele, <i>Data parallel algorithms</i>, Communications of the ACM 29(12), 1986, doi:10.1145/7902.7903.
 *
 * @param collective SCAN or EXSCAN.
 */
record RecursiveDoublingScan(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        new Writer(steps, request, collective == Collective.EXSCAN).write();
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final boolean exclusive;
        private final boolean inPlace;
        private final Segments segments;
        private final int rounds;
        private final StepList[] done = {new StepList(), new StepList()};
        private int segment;
        private long offset;
        private long length;
        private Location sum;
        private int ready;
        private StepList inputReaders;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request, final boolean exclusive)
        {
            this.steps = steps;
            this.exclusive = exclusive;
            rank = request.rank();
            size = request.size();
            inPlace = request.inPlace();
            segments = new Segments(0, request.count(), request.segment());
            rounds = Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
            steps.scratch(Math.min(2, segments.number()) * 3L * rounds * segments.longest());
        }

        void write()
        {
            for (segment = 0; segment < segments.number(); segment++)
            {
                offset = segments.offset(segment);
                length = segments.length(segment);
                scan();
                if (rank == 0 && !exclusive && !inPlace)
                {
                    steps.copy(INPUT.at(offset), OUTPUT.at(offset), length);
                }
            }
        }

        private void scan()
        {
            final StepList before = done[segment % 2];
            final StepList own = new StepList();
            done[segment % 2] = own;
            inputReaders = new StepList();
            sum = INPUT.at(offset);
            ready = -1;
            int prefix = -1;
            for (int round = 0; round < rounds; round++)
            {
                final int distance = 1 << round;
                if (rank + distance < size)
                {
                    final int credit = segment < 2 ? -1 : steps.await(rank + distance, Channels.CREDIT);
                    final int put = steps.put(
                        rank + distance, Channels.DATA, sum, SCRATCH.at(slot(3 * round)), length, ready, credit);
                    readsInput(put);
                    own.add(put);
                }
                if (rank - distance >= 0)
                {
                    final int arrived = steps.await(rank - distance, Channels.DATA);
                    prefix = exclusive ?
                        addExclusive(round, arrived, prefix, before) : addInclusive(round, arrived, before);
                    own.add(prefix);
                    own.add(ready);
                }
            }
            for (int distance = 1; segment + 2 < segments.number() && distance <= rank; distance *= 2)
            {
                steps.signal(rank - distance, Channels.CREDIT, own.toArray());
            }
        }

        private int addInclusive(final int round, final int arrived, final StepList before)
        {
            final boolean last = rank - (2 << round) < 0;
            final StepList after = new StepList(before, arrived);
            after.add(ready);
            if (last && inPlace)
            {
                after.addAll(inputReaders);
            }
            final Location destination = last ? OUTPUT.at(offset) : SCRATCH.at(slot(3 * round + 1));
            ready = steps.reduce(SCRATCH.at(slot(3 * round)), sum, destination, length, false, after.toArray());
            sum = destination;
            return ready;
        }

        /**
         * Adds the data received to the sum that this rank sends in the next round, if it sends in that round, and to
         * the sum of the lower ranks' inputs.
         */
        private int addExclusive(final int round, final int arrived, final int prefix, final StepList before)
        {
            final StepList after = new StepList(before, arrived);
            if (rank + (2 << round) < size)
            {
                final StepList both = new StepList(after, ready);
                final Location destination = SCRATCH.at(slot(3 * round + 1));
                ready = steps.reduce(SCRATCH.at(slot(3 * round)), sum, destination, length, false, both.toArray());
                readsInput(ready);
                sum = destination;
            }
            final boolean last = rank - (2 << round) < 0;
            if (last && inPlace)
            {
                after.addAll(inputReaders);
            }
            if (round == 0)
            {
                return last ? steps.copy(SCRATCH.at(slot(0)), OUTPUT.at(offset), length, after.toArray()) : arrived;
            }
            after.add(prefix);
            return steps.reduce(
                SCRATCH.at(slot(3 * round)), SCRATCH.at(round == 1 ? slot(0) : slot(3 * round - 1)),
                last ? OUTPUT.at(offset) : SCRATCH.at(slot(3 * round + 2)), length, false, after.toArray());
        }

        private void readsInput(final int step)
        {
            inputReaders.add(sum.buffer() == INPUT ? step : -1);
        }

        /** Three slots per round: data received, the sum that is sent on, the sum of the inputs before this rank's. */
        private long slot(final int index)
        {
            return (segment % 2 * 3L * rounds + index) * segments.longest();
        }
    }
}
