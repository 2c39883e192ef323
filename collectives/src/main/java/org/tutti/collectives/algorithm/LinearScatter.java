/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Scatter for large data, or for blocks whose lengths only the root knows: the root writes every rank's block directly
 * to that rank's OUTPUT. It takes one step of {@code n - 1} messages from the root, more if blocks are longer than a
 * segment; each element is sent once. Each rank exposes OUTPUT to the root, with the expected length. Credits limit how
 * many segments the root is ahead of a rank. A block of up to eager elements is sent without waiting for its rank; the
 * length of a longer one is announced. SCRATCH: {@code n * min(eager, segment)} elements.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there, of gather: linear with synchronization).
 *
 * @param collective SCATTER or SCATTERV.
 */
record LinearScatter(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (!collective.isEmpty(request))
        {
            if (request.isRoot())
            {
                send(steps, request);
                OwnBlock.take(steps, request);
            }
            else
            {
                receive(steps, request);
            }
        }
        return steps.build();
    }

    private void send(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final Blocks blocks = request.blocks();
        final EagerBlocks eager = new EagerBlocks(steps, request, collective, 0);
        for (int p = 1; p < request.size(); p++)
        {
            final int peer = (request.root() + p) % request.size();
            eager.send(peer, blocks.offset(peer), blocks.length(peer));
        }
        final int[] exposed = new int[request.size()];
        final int most = Math.max(1, new Segments(0, blocks.longest(), request.segment()).number());
        for (int i = 0; i < most; i++)
        {
            for (int p = 1; p < request.size(); p++)
            {
                final int peer = (request.root() + p) % request.size();
                if (eager.isAll(blocks.length(peer)))
                {
                    continue;
                }
                final Segments segments = new Segments(0, blocks.length(peer), request.segment());
                if (i == 0)
                {
                    exposed[peer] = steps.awaitExposure(peer, Channels.EXPOSE, segments.count());
                }
                if (i < segments.number())
                {
                    final int credit = i < request.window() ? -1 : steps.await(peer, Channels.CREDIT);
                    final long offset = segments.offset(i);
                    steps.put(
                        peer, Channels.DATA, INPUT.at(blocks.offset(peer) + offset), OUTPUT.at(offset),
                        segments.length(i), exposed[peer], credit);
                }
            }
        }
    }

    private void receive(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final int root = request.root();
        final long length = collective.outputCount(request);
        final EagerBlocks eager = new EagerBlocks(steps, request, collective, 0);
        if (eager.isAll(length))
        {
            eager.receive(root, 0, length, -1);
            return;
        }
        final Segments segments = new Segments(0, length, request.segment());
        steps.expose(root, Channels.EXPOSE, 0, segments.count());
        eager.receive(root, 0, length, -1);
        for (int i = 0; i < segments.number(); i++)
        {
            final int arrived = steps.await(root, Channels.DATA);
            if (i + request.window() < segments.number())
            {
                steps.signal(root, Channels.CREDIT, arrived);
            }
        }
    }
}
