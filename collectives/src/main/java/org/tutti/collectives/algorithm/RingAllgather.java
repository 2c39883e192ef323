/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.BlockSegments;
import org.tutti.collectives.pattern.RingPattern;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;

/**
 * Allgather for large data around a ring, directly to OUTPUT. Each rank sends {@code n - 1} blocks, the minimum, in
 * {@code n - 1} steps, to one neighbour. Blocks may differ in length. No SCRATCH.
 * <p>
 * Thakur, Rabenseifner and Gropp, <i>Optimization of collective communication operations in MPICH</i>, International
 * Journal of High Performance Computing Applications 19(1), 2005, doi:10.1177/1094342005051521.
 */
final class RingAllgather implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        return write(new ScheduleBuilder(request), request);
    }

    /**
     * Writes the schedule of one rank; other algorithms call this method too.
     *
     * @param steps   builder without steps.
     * @param request request of the rank.
     * @return the schedule.
     */
    static Schedule write(final ScheduleBuilder steps, final ScheduleRequest request)
    {
        if (request.size() > 1)
        {
            new Writer(steps, request).write();
        }
        OwnBlock.copy(steps, request);
        return steps.build();
    }

    /** Writes the schedule of one rank. A <i>message</i> is a PUT to the next rank; messages are counted from 0. */
    private static final class Writer extends RingPipeline
    {
        private final ScheduleBuilder steps;
        private final RingPattern ring;
        private final BlockSegments chunks;
        private final int window;
        private final int incoming;
        private int sent;
        private int received;
        private int exposed = -1;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            super(request);
            this.steps = steps;
            ring = new RingPattern(request.rank(), request.size());
            chunks = new BlockSegments(request.blocks(), request.segment());
            window = request.window();
            int messages = 0;
            for (int step = 0; step < ring.size() - 1; step++)
            {
                messages += chunks.segments(ring.received(step)).number();
            }
            incoming = messages;
        }

        void write()
        {
            if (incoming > 0)
            {
                steps.expose(ring.previous(), Channels.EXPOSE);
            }
            writeLaps(ring.size() - 1, chunks.number());
        }

        @Override
        void send(final int step, final int index, final int ready)
        {
            final int chunk = ring.sent(step);
            final long length = chunks.length(index, chunk);
            if (length == 0)
            {
                return;
            }
            exposed = exposed < 0 ? steps.await(ring.next(), Channels.EXPOSE) : exposed;
            final int credit = sent++ < window ? -1 : steps.await(ring.next(), Channels.CREDIT);
            final long offset = chunks.offset(index, chunk);
            steps.put(
                ring.next(), Channels.DATA, step == 0 ? INPUT.at(index * chunks.segmentLength()) : OUTPUT.at(offset),
                OUTPUT.at(offset), length, ready, credit, exposed);
        }

        @Override
        int receive(final int step, final int index)
        {
            if (chunks.length(index, ring.received(step)) == 0)
            {
                return -1;
            }
            final int arrived = steps.await(ring.previous(), Channels.DATA);
            if (received++ + window < incoming)
            {
                steps.signal(ring.previous(), Channels.CREDIT, arrived);
            }
            return arrived;
        }
    }
}
