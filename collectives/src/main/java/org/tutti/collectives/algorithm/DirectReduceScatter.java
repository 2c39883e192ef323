/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Reduce-scatter for ranks that can load one another's memory: every rank sums its block, reading INPUT of all other
 * ranks in place. A rank loads {@code n - 1} blocks from its peers, the minimum, and sends each peer two messages
 * without data: INPUT may be read, and INPUT has been read. A block is summed in segments, each over all ranks before
 * the next, so that it stays in cache. Blocks may differ in length. No SCRATCH. Each block is combined starting with
 * its own rank, so the operation must commute. The window is not used.
 * <p>
 * The first half of {@link DirectAllreduce}; on a shared address space, as with XPMEM: Hashmi et al., <i>Designing
 * Efficient Shared Address Space Reduction Collectives for Multi-/Many-cores</i>, IPDPS 2018,
 * doi:10.1109/IPDPS.2018.00111.
 */
final class DirectReduceScatter implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : write(steps, request);
    }

    private static Schedule write(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final int size = request.size();
        final int rank = request.rank();
        for (int i = 1; i < size; i++)
        {
            final int peer = (rank + i) % size;
            if (request.blocks().length(peer) > 0)
            {
                steps.expose(peer, Channels.EXPOSE);
            }
        }
        if (request.blocks().length(rank) > 0)
        {
            sum(steps, request);
        }
        for (int i = 1; i < size; i++)
        {
            final int peer = Math.floorMod(rank - i, size);
            if (request.blocks().length(peer) > 0)
            {
                steps.await(peer, Channels.CREDIT);
            }
        }
        return steps.build();
    }

    private static void sum(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final int size = request.size();
        final int rank = request.rank();
        final int[] exposed = new int[size];
        Arrays.setAll(exposed, (peer) -> peer == rank ? -1 : steps.await(peer, Channels.EXPOSE));
        final InPlaceSum total = new InPlaceSum(steps, request, exposed);
        final Segments block = new Segments(0, request.blocks().length(rank), request.segment());
        final long start = request.blocks().offset(rank);
        int sum = -1;
        for (int segment = 0; segment < block.number(); segment++)
        {
            final long to = block.offset(segment);
            sum = total.write(start + to, OUTPUT.at(to), block.length(segment), sum);
        }
        for (int i = 1; i < size; i++)
        {
            steps.signal((rank + i) % size, Channels.CREDIT, sum);
        }
    }
}
