/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Of few ranks and small data: every rank sends every other what that is to have, at once, into a slot that it has
 * there, and copies from its slots. One round, in which each sends {@code n - 1} blocks, the least that is possible; a
 * rank waits for all others at once, so that ranks that share a core hand it over once each.
 * <p>
 * Shah et al., <i>MSCCL++: Rethinking GPU Communication Abstractions for Cutting-edge AI Applications</i>, 2025,
 * arXiv:2504.09014 (there: one-phase all-pairs). Slots need no word of where OUTPUT lies, so no rank waits before it
 * sends.
 * <p>
 * Blocks that are longer than a segment travel segment by segment; for a slot that was copied, its rank gets a credit.
 * <p>
 * SCRATCH: n * window * segment elements. No restrictions.
 *
 * @param collective ALLGATHER or ALLTOALL.
 */
record AllPairsExchange(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (!collective.isEmpty(request))
        {
            if (request.size() > 1)
            {
                new Writer(steps, request, collective == Collective.ALLGATHER).write();
            }
            if (collective == Collective.ALLGATHER)
            {
                OwnBlock.copy(steps, request);
            }
            else
            {
                OwnBlock.keep(steps, request);
            }
        }
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final boolean gathers;
        private final boolean inPlace;
        private final int rank;
        private final int size;
        private final BlockSegments out;
        private final BlockSegments in;
        private final int window;
        private final long slotLength;
        private final int[] puts;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request, final boolean gathers)
        {
            this.steps = steps;
            this.gathers = gathers;
            inPlace = request.inPlace();
            rank = request.rank();
            size = request.size();
            out = new BlockSegments(request.blocks(), request.segment());
            in = new BlockSegments(request.received(), request.segment());
            window = request.window();
            slotLength = Math.min(request.segment(), request.blocks().longest());
            puts = new int[size];
            steps.scratch((long)Math.min(window, in.number()) * size * slotLength);
        }

        void write()
        {
            for (int segment = 0; segment < in.number(); segment++)
            {
                // The next rank first, so that not all send to the same one at once.
                for (int step = 1; step < size; step++)
                {
                    send(segment, (rank + step) % size);
                }
                for (int step = 1; step < size; step++)
                {
                    receive(segment, Math.floorMod(rank - step, size));
                }
            }
        }

        private void send(final int segment, final int peer)
        {
            final int block = gathers ? rank : peer;
            if (out.length(segment, block) > 0)
            {
                final int credit = segment < window ? -1 : steps.await(peer, Channels.CREDIT);
                // INPUT of a gathering rank begins with its only block.
                final long offset = gathers ? segment * out.segmentLength() : out.offset(segment, block);
                puts[peer] = steps.put(
                    peer, Channels.DATA, INPUT.at(offset), SCRATCH.at(slot(segment, rank)), out.length(segment, block),
                    credit);
            }
        }

        private void receive(final int segment, final int peer)
        {
            final long length = in.length(segment, peer);
            if (length > 0)
            {
                final int arrived = steps.await(peer, Channels.DATA);
                // In place, OUTPUT overwrites what is sent.
                final int copied = steps.copy(
                    SCRATCH.at(slot(segment, peer)), OUTPUT.at(in.offset(segment, peer)), length, arrived,
                    inPlace && !gathers ? puts[peer] : -1);
                if (in.length(segment + window, peer) > 0)
                {
                    steps.signal(peer, Channels.CREDIT, copied);
                }
            }
        }

        private long slot(final int segment, final int of)
        {
            return (segment % window * (long)size + of) * slotLength;
        }
    }
}
