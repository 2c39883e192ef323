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
 * Allgather or alltoall for few ranks and small data in one round: every rank sends a block to each other rank at once,
 * into the slot that the receiver has for the sender, and copies the blocks that it receives from its slots to OUTPUT.
 * Each rank sends {@code n - 1} blocks, the minimum. Slots are in SCRATCH, so no rank waits for a peer to expose
 * OUTPUT; and a rank waits for all others at once, so ranks that share a core need one context switch each. Blocks
 * longer than a segment are sent segment by segment; when a slot has been copied, its sender gets a credit. SCRATCH:
 * {@code n * window * segment} elements.
 * <p>
 * Shah et al., <i>MSCCL++: Rethinking GPU Communication Abstractions for Cutting-edge AI Applications</i>, 2025,
 * arXiv:2504.09014 (there: one-phase all-pairs).
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
                // Starts with the next rank, so that not all ranks send to the same one at once.
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
                // In an allgather, INPUT has only this rank's block.
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
                // In place, the copy overwrites the source of the PUT.
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
