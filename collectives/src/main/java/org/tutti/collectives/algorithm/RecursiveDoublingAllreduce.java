/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.FoldedRanks;
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
 * Allreduce for small data in {@code log2 n} rounds: in round {@code i} a rank exchanges all the data with the rank
 * whose number differs in bit {@code i}. If n is not a power of two, each <i>extra</i> rank (the odd ones among the
 * first ranks) sends its input to the rank below and receives the result from it: two more rounds. All messages go
 * through SCRATCH, so no rank waits for a peer to expose OUTPUT; and no intermediate sum overwrites the source of a
 * PUT, so no rank waits for completions. Inputs are combined in rank order, neighbours first, so all ranks get the same
 * bits, also for operations that do not commute. Data longer than a segment is reduced segment by segment in two sets
 * of slots: a rank sends a segment after it has completed the previous one, so each message is also the credit for the
 * slots of the previous segment. SCRATCH: up to {@code 2 ceil(log2 n) + 1} segments (twice that for longer data).
 * The window is not used.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class RecursiveDoublingAllreduce implements ScheduleGenerator
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
        private final int rounds;
        private final boolean inPlace;
        private final Segments segments;
        private final int slotsPerSet;
        private int set;
        private long offset;
        private long length;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            folded = new FoldedRanks(request.size());
            rounds = folded.rounds();
            inPlace = request.inPlace();
            segments = new Segments(0, request.count(), request.segment());
            // Per round and for the extra: one slot to receive, one for the sum; the last sum goes to OUTPUT.
            slotsPerSet = 2 * rounds - 1 + (folded.hasExtras() ? 2 : 0);
            steps.scratch(Math.min(2, segments.number()) * segments.longest() * slotsPerSet);
        }

        Schedule write()
        {
            int done = -1;
            for (int i = 0; i < segments.number(); i++)
            {
                set = i % 2;
                offset = segments.offset(i);
                length = segments.length(i);
                done = folded.isExtra(rank) ? reduceAsExtra(done) : reduceInCore(done);
            }
            return steps.build();
        }

        private int reduceAsExtra(final int done)
        {
            final int proxy = rank - 1;
            steps.put(proxy, Channels.DATA, INPUT.at(offset), SCRATCH.at(foldSlot()), length, done);
            final int arrived = steps.await(proxy, Channels.DATA);
            return steps.copy(SCRATCH.at(foldSlot()), OUTPUT.at(offset), length, arrived);
        }

        private int reduceInCore(final int done)
        {
            final int extra = folded.extraOf(rank);
            Location sum = INPUT.at(offset);
            int ready = done;
            if (extra != FoldedRanks.NONE)
            {
                final int arrived = steps.await(extra, Channels.DATA);
                final Location destination = SCRATCH.at(foldSumSlot());
                ready = steps.reduce(sum, SCRATCH.at(foldSlot()), destination, length, false, arrived, done);
                sum = destination;
            }
            int inputPut = -1;
            for (int round = 0; round < rounds; round++)
            {
                final boolean last = round == rounds - 1;
                final int peer = folded.rank(folded.foldedRank(rank) ^ (1 << round));
                final Location arrival = SCRATCH.at(slot(round));
                final int put = steps.put(peer, Channels.DATA, sum, arrival, length, ready);
                inputPut = sum.buffer() == INPUT && inPlace ? put : inputPut;
                final int arrived = steps.await(peer, Channels.DATA);
                final Location destination = last ? OUTPUT.at(offset) : SCRATCH.at(sumSlot(round));
                final int overwritten = last ? inputPut : -1;
                ready = rank < peer ?
                    steps.reduce(sum, arrival, destination, length, last, arrived, ready, overwritten) :
                    steps.reduce(arrival, sum, destination, length, last, arrived, ready, overwritten);
                sum = destination;
            }
            if (extra != FoldedRanks.NONE)
            {
                steps.put(extra, Channels.DATA, OUTPUT.at(offset), SCRATCH.at(foldSlot()), length, ready);
            }
            return ready;
        }

        /** Where the data of a round arrives. */
        private long slot(final int round)
        {
            return slotOffset(round);
        }

        /** Where the sum of a round goes, except for the last round. */
        private long sumSlot(final int round)
        {
            return slotOffset(rounds + round);
        }

        private long foldSlot()
        {
            return slotOffset(2 * rounds - 1);
        }

        private long foldSumSlot()
        {
            return slotOffset(2 * rounds);
        }

        private long slotOffset(final int index)
        {
            return (set * (long)slotsPerSet + index) * segments.longest();
        }
    }
}
