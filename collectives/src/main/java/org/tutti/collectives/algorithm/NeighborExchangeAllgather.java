/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allgather for large data among an even number of ranks: a rank exchanges the blocks that it received last with its
 * two neighbours alternately. Each rank sends {@code n - 1} blocks, the minimum, in {@code n / 2} steps: half as many
 * as in a ring. Data goes directly to OUTPUT, segment by segment: the first segment of all blocks before the second.
 * Blocks may differ in length. No SCRATCH. For an odd number of ranks the schedule is that of the ring. Only that
 * schedule uses the window.
 * <p>
 * Chen, Zhang, Zhang and Yuan, <i>Performance evaluation of allgather algorithms on terascale Linux cluster with Fast
 * Ethernet</i>, HPC Asia 2005, doi:10.1109/HPCASIA.2005.75.
 */
final class NeighborExchangeAllgather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() % 2 == 1)
        {
            return RingAllgather.write(steps, request);
        }
        new Writer(steps, request).write(OwnBlock.copy(steps, request));
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final int rank;
        private final int size;
        private final BlockSegments segments;
        private final int[] neighbors;
        private final int[] exposed = {-1, -1};
        private int segment;
        private int arrived = -1;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            segments = new BlockSegments(request.blocks(), request.segment());
            final int next = (rank + 1) % size;
            final int previous = (rank + size - 1) % size;
            neighbors = rank % 2 == 0 ? new int[] {next, previous} : new int[] {previous, next};
        }

        void write(final int copied)
        {
            expose(0);
            expose(1);
            for (segment = 0; segment < segments.number(); segment++)
            {
                int sent = rank;
                int received = neighbors[0];
                for (int step = 0; step < size / 2; step++)
                {
                    final int blocks = step == 0 ? 1 : 2;
                    send(step, sent, blocks, step <= 1 ? copied : -1);
                    arrived = receive(neighbors[step % 2], received, blocks);
                    sent = step == 0 ? rank / 2 * 2 : received;
                    received = pairAfter(step);
                }
            }
        }

        /** Exposes OUTPUT to the neighbour on one side if that neighbour sends any elements. */
        private void expose(final int side)
        {
            long length = side == 0 ? segments.blocks().length(neighbors[0]) : 0;
            for (int step = side == 0 ? 2 : 1; step < size / 2; step += 2)
            {
                final int first = pairAfter(step - 1);
                length += segments.blocks().length(first) + segments.blocks().length(first + 1);
            }
            if (length > 0)
            {
                steps.expose(neighbors[side], Channels.EXPOSE);
            }
        }

        /**
         * Returns the first block of the pair that arrives in the step after the given one. From step to step, pairs
         * come from farther away, alternately from below and from above this rank.
         */
        private int pairAfter(final int step)
        {
            final boolean isBelow = (rank + step) % 2 == 0;
            final int distance = step / 2 + 1;
            return Math.floorMod(rank / 2 + (isBelow ? -distance : distance), size / 2) * 2;
        }

        private void send(final int step, final int first, final int blocks, final int copied)
        {
            final int side = step % 2;
            final boolean isWhole = segments.number() == 1;
            int sent = 0;
            for (int i = 0; i < blocks; i += isWhole ? blocks : 1)
            {
                final long length = segments.length(segment, first + i) +
                    (isWhole && blocks == 2 ? segments.length(segment, first + 1) : 0);
                if (length > 0)
                {
                    if (exposed[side] < 0)
                    {
                        exposed[side] = steps.await(neighbors[side], Channels.EXPOSE);
                    }
                    final long offset = segments.offset(segment, first + i);
                    steps.put(
                        neighbors[side], Channels.DATA, OUTPUT.at(offset), OUTPUT.at(offset), length, copied, arrived,
                        exposed[side]);
                    sent++;
                }
            }
            if (sent == 0)
            {
                steps.signal(neighbors[side], Channels.DATA, arrived);
            }
        }

        private int receive(final int from, final int first, final int blocks)
        {
            int messages = 1;
            if (blocks == 2 && segments.number() > 1 &&
                segments.length(segment, first) > 0 && segments.length(segment, first + 1) > 0)
            {
                messages = 2;
            }
            int last = arrived;
            for (int i = 0; i < messages; i++)
            {
                last = steps.await(from, Channels.DATA, last);
            }
            return last;
        }
    }
}
