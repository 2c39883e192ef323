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
 * Allreduce for the smallest data: every rank writes all its data to every other rank, and sums locally. In one round a
 * rank sends all the data {@code n - 1} times and reduces as often: the lowest latency if all ranks are on one or a few
 * hosts. Data longer than a segment is reduced segment by segment in two sets of slots: a rank sends a segment after it
 * has summed the previous one, so each message is also the credit for the slots of the previous segment. SCRATCH: n
 * segments (twice that if the data is longer than a segment). Inputs are combined in rank order, one after the other.
 * The window is not used.
 * <p>
 * Shah et al., <i>MSCCL++: Rethinking GPU Communication Abstractions for Cutting-edge AI Applications</i>, 2025,
 * arXiv:2504.09014 (there: one-phase all-pairs); called one-shot on GPUs.
 */
final class OneShotAllreduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() == 1)
        {
            return SingleRank.copy(steps, request);
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
            // In place, the sum overwrites the source of the PUTs.
            done = sum.write(slots, arrived, offset, length, request.inPlace() ? puts : new StepList());
        }
        return steps.build();
    }
}
