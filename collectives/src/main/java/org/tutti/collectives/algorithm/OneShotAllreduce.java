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

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allreduce of the smallest data: every rank writes all it has to every other, and each sums up by itself. One round,
 * in which a rank sends all the data {@code n - 1} times and reduces as often: the least latency there is, as long as a
 * host, or a few, have all ranks.
 * <p>
 * Shah et al., <i>MSCCL++: Rethinking GPU Communication Abstractions for Cutting-edge AI Applications</i>, 2025,
 * arXiv:2504.09014 (there: one-phase all-pairs); called one-shot where GPUs do so.
 * <p>
 * Data longer than a segment is reduced segment by segment, in two sets of slots: a rank sends a segment when it has
 * summed up the one before, so what it sends is the credit for the set of that one.
 * <p>
 * SCRATCH: n segments (twice that for more than one). Inputs are combined in the order of ranks, one after the other;
 * no restrictions. The window is not used.
 */
final class OneShotAllreduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return OneRank.copy(steps, request);
        }
        final int size = request.size();
        final int rank = request.rank();
        final Segments segments = DirectSegments.of("one_shot", request, request.segment());
        final long slot = segments.longest();
        steps.scratch(Math.min(2L, segments.number()) * size * slot);
        final RankOrderSum sum = new RankOrderSum(steps, rank, slot);
        int done = -1;
        for (int segment = 0; segment < segments.number(); segment++)
        {
            final long offset = segments.offset(segment);
            final long length = segments.length(segment);
            final long slots = segment % 2L * size * slot;
            final StepList puts = new StepList();
            for (int i = 1; i < size; i++)
            {
                puts.add(steps.put(
                    (rank + i) % size, Channels.DATA, INPUT.at(offset), SCRATCH.at(slots + rank * slot), length, done));
            }
            final int[] arrived = new int[size];
            Arrays.setAll(arrived, (peer) -> peer == rank ? -1 : steps.await(peer, Channels.DATA));
            // In place, the sum overwrites what is sent.
            done = sum.write(slots, arrived, offset, length, request.inPlace() ? puts : new StepList());
        }
        return steps.build();
    }
}
