/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Reduce for ranks that can load one another's memory: every rank sums one chunk, reading INPUT of all other ranks in
 * place, and writes the sum to the root's OUTPUT while it is in cache. All ranks work at the same time: each loads
 * {@code (n - 1) / n} of the data from its peers and stores {@code 1 / n} at the root. A chunk is summed in segments,
 * each over all ranks before the next. Only the root's receive FIFO limits how far a rank is ahead of the root; the
 * window limits how many sums wait in SCRATCH. SCRATCH: {@code window * segment} elements, not used by the root. Each
 * chunk is combined starting with the rank that sums it, so the operation must commute.
 * <p>
 * Reduce-scatter and gather as in Rabenseifner, <i>Optimization of Collective Reduction Operations</i>, ICCS 2004,
 * doi:10.1007/978-3-540-24685-5_1, on a shared address space, as with XPMEM: Hashmi et al., <i>Designing Efficient
 * Shared Address Space Reduction Collectives for Multi-/Many-cores</i>, IPDPS 2018, doi:10.1109/IPDPS.2018.00111.
 */
final class DirectReduce implements ScheduleGenerator
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
        private final int root;
        private final int window;
        private final long segmentLength;
        private final Partition chunks;
        private final int[] exposed;
        private final InPlaceSum total;
        /** By slot of SCRATCH: the last PUT from the slot. */
        private final int[] sent;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            this.steps = steps;
            rank = request.rank();
            size = request.size();
            root = request.root();
            window = request.window();
            chunks = new Partition(request.count(), size);
            segmentLength = Math.min(request.segment(), Math.max(1, chunks.longest()));
            exposed = new int[size];
            total = new InPlaceSum(steps, request, exposed);
            sent = new int[window];
            Arrays.fill(sent, -1);
            steps.scratch(request.count() == 0 ? 0 : window * segmentLength);
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
            if (chunks.length(rank) > 0)
            {
                Arrays.setAll(exposed, (peer) -> peer == rank ? -1 : steps.await(peer, Channels.EXPOSE));
            }
            int sum = -1;
            final int number = new Segments(0, chunks.longest(), segmentLength).number();
            for (int segment = 0; segment < number; segment++)
            {
                sum = chunk(rank).length(segment) > 0 ? sum(segment, sum) : sum;
                awaitAtRoot(segment);
            }
            for (int i = 1; i < size; i++)
            {
                signalRead((rank + i) % size, sum);
            }
            for (int i = 1; i < size; i++)
            {
                awaitEnd(Math.floorMod(rank - i, size));
            }
            return steps.build();
        }

        /** Sums a segment of this rank's chunk and sends it to the root. Returns the step that completes the sum. */
        private int sum(final int segment, final int before)
        {
            final long offset = chunk(rank).offset(segment);
            final long count = chunk(rank).length(segment);
            final int slot = segment % window;
            final Location destination = rank == root ? OUTPUT.at(offset) : SCRATCH.at(slot * segmentLength);
            final int sum = total.write(offset, destination, count, before, sent[slot]);
            if (rank != root)
            {
                sent[slot] = steps.put(root, Channels.DATA, destination, OUTPUT.at(offset), count, sum);
            }
            return sum;
        }

        /** The root receives while it sums, so that ranks no faster than the root never fill its receive FIFO. */
        private void awaitAtRoot(final int segment)
        {
            for (int i = 1; i < size && rank == root; i++)
            {
                final int peer = Math.floorMod(rank - i, size);
                if (chunk(peer).length(segment) > 0)
                {
                    steps.await(peer, Channels.DATA);
                }
            }
        }

        /** Signals that INPUT of the peer has been read. The root gets no signal: it gets this rank's sum instead. */
        private void signalRead(final int peer, final int sum)
        {
            if (peer != root && chunks.length(rank) > 0)
            {
                steps.signal(peer, Channels.CREDIT, sum);
            }
        }

        private void awaitEnd(final int peer)
        {
            if (rank != root && chunks.length(peer) > 0)
            {
                steps.await(peer, Channels.CREDIT);
            }
        }

        private Segments chunk(final int owner)
        {
            return new Segments(chunks.offset(owner), chunks.length(owner), segmentLength);
        }
    }
}
