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

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allreduce for medium data among few ranks: every rank sums one chunk, which all other ranks write to it, and writes
 * the sum to all other ranks. In two rounds a rank sends {@code 2 (n - 1) / n} of the data, the minimum, in
 * {@code 2 (n - 1)} messages to {@code n - 1} peers. Chunks go to SCRATCH, sums directly to OUTPUT. If a chunk would be
 * longer than a segment, the data is reduced n segments at a time, in two sets of slots: the sum that a rank receives
 * from a peer is also the credit for the peer's slots. SCRATCH: n segments (twice that if a chunk is longer than a
 * segment). Inputs are combined in rank order, one after the other. The window is not used.
 * <p>
 * Reduce-scatter and allgather as in Rabenseifner, <i>Optimization of Collective Reduction Operations</i>, ICCS 2004,
 * doi:10.1007/978-3-540-24685-5_1, but with all peers at once: Shah et al., <i>MSCCL++: Rethinking GPU Communication
 * Abstractions for Cutting-edge AI Applications</i>, 2025, arXiv:2504.09014 (there: two-phase all-pairs).
 */
final class TwoShotAllreduce implements ScheduleGenerator
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
        private final Segments segments;
        private final long slot;
        private final int[] exposed;
        private final int[] done;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            segments = DirectSegments.of(
                "two_shot", request, Math.max(1, Math.min(request.count(), request.segment()) * size));
            slot = new Partition(segments.longest(), size).longest();
            exposed = new int[size];
            done = new int[size];
            Arrays.fill(exposed, -1);
            Arrays.fill(done, -1);
            steps.scratch(Math.min(2L, segments.number()) * size * slot);
        }

        Schedule write()
        {
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                if (new Partition(segments.longest(), size).length(peer) > 0)
                {
                    steps.expose(peer, Channels.EXPOSE);
                }
            }
            for (int segment = 0; segment < segments.number(); segment++)
            {
                reduce(segment);
            }
            return steps.build();
        }

        private void reduce(final int segment)
        {
            final Partition chunks = new Partition(segments.length(segment), size);
            final long offset = segments.offset(segment);
            final long slots = segment % 2L * size * slot;
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                steps.putOrSignal(
                    peer, Channels.UP, INPUT.at(offset + chunks.offset(peer)), SCRATCH.at(slots + rank * slot),
                    chunks.length(peer), done[peer]);
            }
            final int[] arrived = new int[size];
            Arrays.setAll(arrived, (peer) -> peer == rank ? -1 : steps.await(peer, Channels.UP));
            final long own = offset + chunks.offset(rank);
            final long length = chunks.length(rank);
            final int sum = length == 0 ? -1 :
                new RankOrderSum(steps, rank, slot).write(slots, arrived, own, length, new StepList());
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                exposed[peer] = segment == 0 && length > 0 ? steps.await(peer, Channels.EXPOSE) : exposed[peer];
                steps.putOrSignal(
                    peer, Channels.DOWN, OUTPUT.at(own), OUTPUT.at(own), length, sum, sum < 0 ? arrived[peer] : -1,
                    exposed[peer]);
            }
            for (int i = 1; i < size; i++)
            {
                final int peer = Math.floorMod(rank - i, size);
                done[peer] = steps.await(peer, Channels.DOWN);
            }
        }
    }
}
