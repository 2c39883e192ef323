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
 * Gather for large data, or for blocks whose lengths only the root knows: every rank writes its block directly to the
 * root's OUTPUT. It takes one step of {@code n - 1} messages to the root, more if blocks are longer than a segment;
 * each element is sent once. The root exposes to each rank the part of OUTPUT for its block, with the expected length.
 * Credits limit how many segments a rank is ahead of the root. A block of up to eager elements is sent without waiting
 * for the root; the length of a longer one is announced. SCRATCH: {@code n * min(eager, segment)} elements.
 * <p>
 * Pješivac-Grbović et al., <i>Performance analysis of MPI collective operations</i>, Cluster Computing 10(2), 2007,
 * doi:10.1007/s10586-007-0012-0 (there: linear with synchronization).
 *
 * @param collective GATHER or GATHERV.
 */
record LinearGather(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (!collective.isEmpty(request))
        {
            if (request.isRoot())
            {
                receive(steps, request);
            }
            else
            {
                send(steps, request);
            }
        }
        return steps.build();
    }

    private void send(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final int root = request.root();
        final long length = collective.inputCount(request);
        final EagerBlocks eager = new EagerBlocks(steps, request, collective, 0);
        eager.send(root, 0, length);
        if (eager.isAll(length))
        {
            return;
        }
        final Segments segments = new Segments(0, length, request.segment());
        final int exposed = steps.awaitExposure(root, Channels.EXPOSE, segments.count());
        for (int i = 0; i < segments.number(); i++)
        {
            final int credit = i < request.window() ? -1 : steps.await(root, Channels.CREDIT);
            final long offset = segments.offset(i);
            steps.put(root, Channels.DATA, INPUT.at(offset), OUTPUT.at(offset), segments.length(i), exposed, credit);
        }
    }

    private void receive(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        final Blocks blocks = request.blocks();
        final EagerBlocks eager = new EagerBlocks(steps, request, collective, 0);
        for (int i = 1; i < request.size(); i++)
        {
            final int peer = (request.root() + i) % request.size();
            if (!eager.isAll(blocks.length(peer)))
            {
                steps.expose(peer, Channels.EXPOSE, blocks.offset(peer), blocks.length(peer));
            }
        }
        // Overlaps with the arrival of the other blocks.
        OwnBlock.copy(steps, request);
        for (int i = 1; i < request.size(); i++)
        {
            final int peer = (request.root() + i) % request.size();
            eager.receive(peer, blocks.offset(peer), blocks.length(peer), -1);
        }
        final int most = new Segments(0, blocks.longest(), request.segment()).number();
        for (int i = 0; i < most; i++)
        {
            for (int p = 1; p < request.size(); p++)
            {
                final int peer = (request.root() + p) % request.size();
                final int number = eager.isAll(blocks.length(peer)) ? 0 :
                    new Segments(0, blocks.length(peer), request.segment()).number();
                if (i < number)
                {
                    final int arrived = steps.await(peer, Channels.DATA);
                    if (i + request.window() < number)
                    {
                        steps.signal(peer, Channels.CREDIT, arrived);
                    }
                }
            }
        }
    }
}
