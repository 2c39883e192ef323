/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allreduce for ranks that can load one another's memory: every rank sums one chunk, reading INPUT of all other ranks
 * in place, and writes the sum to all other ranks while it is in cache. No data is copied before it is summed: in two
 * rounds a rank loads {@code (n - 1) / n} of the data from its peers and stores as much to them. A rank sends its chunk
 * in segments, at most a window ahead of the receivers. No SCRATCH. Each chunk is combined starting with the rank that
 * sums it, so the operation must commute.
 * <p>
 * Reduce-scatter and allgather as in Rabenseifner, <i>Optimization of Collective Reduction Operations</i>, ICCS 2004,
 * doi:10.1007/978-3-540-24685-5_1, on a shared address space, as with XPMEM: Hashmi et al., <i>Designing Efficient
 * Shared Address Space Reduction Collectives for Multi-/Many-cores</i>, IPDPS 2018, doi:10.1109/IPDPS.2018.00111.
 */
final class DirectAllreduce implements ScheduleGenerator
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
        private final int size;
        private final int window;
        private final long segmentLength;
        private final Partition chunks;
        private final int[] exposed;
        private final InPlaceSum total;
        /** By peer, then by segment modulo the window: the latest WAIT for such a segment of the peer's chunk. */
        private final int[][] arrived;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            window = request.window();
            segmentLength = request.segment();
            chunks = new Partition(request.count(), size);
            exposed = new int[size];
            total = new InPlaceSum(steps, request, exposed);
            arrived = new int[size][window];
            Arrays.fill(exposed, -1);
            for (final int[] waitSteps : arrived)
            {
                Arrays.fill(waitSteps, -1);
            }
        }

        Schedule write()
        {
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                if (chunks.length(peer) > 0)
                {
                    steps.expose(peer, Channels.EXPOSE);
                }
            }
            for (int i = 1; i < size && chunks.length(rank) > 0; i++)
            {
                final int peer = (rank + i) % size;
                exposed[peer] = steps.await(peer, Channels.EXPOSE);
            }
            final int number = new Segments(0, chunks.longest(), segmentLength).number();
            for (int segment = 0; segment < number + window - 1; segment++)
            {
                send(segment);
                await(segment - window + 1);
            }
            return steps.build();
        }

        private Segments chunk(final int owner)
        {
            return new Segments(chunks.offset(owner), chunks.length(owner), segmentLength);
        }

        private void send(final int segment)
        {
            final Segments own = chunk(rank);
            final long offset = own.offset(segment);
            final long count = own.length(segment);
            if (count == 0)
            {
                return;
            }
            final int sum = total.write(offset, OUTPUT.at(offset), count);
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                steps.put(
                    peer, Channels.DOWN, OUTPUT.at(offset), OUTPUT.at(offset), count, sum, exposed[peer],
                    arrived[peer][segment % window]);
            }
        }

        private void await(final int segment)
        {
            for (int i = 1; i < size && segment >= 0; i++)
            {
                final int peer = Math.floorMod(rank - i, size);
                if (chunk(peer).length(segment) > 0)
                {
                    arrived[peer][segment % window] = steps.await(peer, Channels.DOWN);
                }
            }
        }
    }
}
