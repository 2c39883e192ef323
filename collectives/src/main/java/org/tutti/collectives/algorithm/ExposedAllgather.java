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

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allgather in which every rank writes its block to OUTPUT of all other ranks at once: the last stage of an algorithm
 * in which each rank with a block has waited before for all others to expose OUTPUT. All ranks send at the same time,
 * segment by segment, with credits from the segment after the window on. No SCRATCH.
 */
final class ExposedAllgather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        final int rank = request.rank();
        final int size = request.size();
        final BlockSegments segments = new BlockSegments(request.blocks(), request.segment());
        for (int segment = 0; segment < segments.number(); segment++)
        {
            final long length = segments.length(segment, rank);
            for (int i = 1; i < size && length > 0; i++)
            {
                final int peer = (rank + i) % size;
                final int credit = segment < request.window() ? -1 : steps.await(peer, Channels.DOWN_CREDIT);
                steps.put(
                    peer, Channels.DOWN, INPUT.at(segment * request.segment()),
                    OUTPUT.at(segments.offset(segment, rank)), length, credit);
            }
            for (int i = 1; i < size; i++)
            {
                final int peer = Math.floorMod(rank - i, size);
                if (segments.length(segment, peer) > 0)
                {
                    final int arrived = steps.await(peer, Channels.DOWN);
                    if (segments.length(segment + request.window(), peer) > 0)
                    {
                        steps.signal(peer, Channels.DOWN_CREDIT, arrived);
                    }
                }
            }
        }
        return steps.build();
    }
}
