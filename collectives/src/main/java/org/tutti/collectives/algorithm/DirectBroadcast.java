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
 * Broadcast for ranks that can load one another's memory: the root writes one chunk of the data to every other rank,
 * while each of these copies the rest from the root's memory. All ranks work at the same time, each on
 * {@code (n - 1) / n} of the data. The root signals that its data may be read, each other rank that its OUTPUT may be
 * written, and both signal completion. The root writes in segments, at most a window ahead. No SCRATCH.
 * <p>
 * On a shared address space, as with XPMEM: Hashmi et al., <i>Designing Efficient Shared Address Space Reduction
 * Collectives for Multi-/Many-cores</i>, IPDPS 2018, doi:10.1109/IPDPS.2018.00111; here the root, which would otherwise
 * only wait, has a share of the work.
 */
final class DirectBroadcast implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        if (request.size() > 1 && request.count() > 0)
        {
            // The last chunk is the root's; it is empty if there are few elements.
            final Partition chunks = new Partition(request.count(), request.size());
            final long read = chunks.offset(request.size() - 1);
            final Segments written = new Segments(read, request.count() - read, request.segment());
            if (request.isRoot())
            {
                write(steps, request, written);
            }
            else
            {
                read(steps, request, read, written.number());
            }
        }
        return steps.build();
    }

    private static void write(final ScheduleBuilder steps, final ScheduleRequest request, final Segments written)
    {
        final int size = request.size();
        final int rank = request.rank();
        final int[] exposed = new int[size];
        Arrays.fill(exposed, -1);
        for (int i = 1; i < size; i++)
        {
            steps.expose((rank + i) % size, Channels.EXPOSE);
        }
        for (int segment = 0; segment < written.number(); segment++)
        {
            for (int i = 1; i < size; i++)
            {
                final int peer = (rank + i) % size;
                exposed[peer] = segment == 0 ? steps.await(peer, Channels.EXPOSE) : exposed[peer];
                final int credit = segment < request.window() ? -1 : steps.await(peer, Channels.CREDIT);
                final long offset = written.offset(segment);
                steps.put(
                    peer, Channels.DATA, OUTPUT.at(offset), OUTPUT.at(offset), written.length(segment), exposed[peer],
                    credit);
            }
        }
        for (int i = 1; i < size; i++)
        {
            steps.await((rank + i) % size, Channels.UP);
        }
    }

    private static void read(
        final ScheduleBuilder steps, final ScheduleRequest request, final long count, final int segments)
    {
        final int root = request.root();
        if (segments > 0)
        {
            steps.expose(root, Channels.EXPOSE);
        }
        final int exposed = steps.await(root, Channels.EXPOSE);
        final Segments read = new Segments(0, count, request.segment());
        int copied = -1;
        for (int segment = 0; segment < Math.max(read.number(), segments); segment++)
        {
            if (segment < read.number())
            {
                final long offset = read.offset(segment);
                copied = steps.copyFromPeer(root, offset, OUTPUT.at(offset), read.length(segment), exposed, copied);
            }
            final int arrived = segment < segments ? steps.await(root, Channels.DATA) : -1;
            if (segment + request.window() < segments)
            {
                steps.signal(root, Channels.CREDIT, arrived);
            }
        }
        steps.signal(root, Channels.UP, copied);
    }
}
