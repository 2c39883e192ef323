/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Partition;
import org.tutti.collectives.pattern.RingPattern;
import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Location;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Allreduce for large data: a reduce-scatter, then an allgather, around a ring. Each rank sends {@code 2 (n - 1) / n}
 * of the data, the minimum, in {@code 2 (n - 1)} steps. Partial sums go to SCRATCH of the next rank, results directly
 * to its OUTPUT. Chunks are split into segments, and a few segments of every chunk complete all steps before the next
 * few start ({@link RingPipeline}), so that a rank forwards a reduced segment while it is in cache. Each element is
 * reduced once, chunk {@code c} in rank order from rank {@code c} on, so all ranks get the same bits. SCRATCH:
 * {@code window * segment} elements. The operation must commute.
 * <p>
 * Patarasuk and Yuan, <i>Bandwidth optimal all-reduce algorithms for clusters of workstations</i>, Journal of Parallel
 * and Distributed Computing 69(2), 2009, doi:10.1016/j.jpdc.2008.09.002.
 */
final class RingAllreduce implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        return request.size() == 1 ? SingleRank.copy(steps, request) : new Writer(steps, request).write();
    }

    /** Writes the schedule of one rank. A <i>message</i> is a PUT to the next rank; messages are counted from 0. */
    private static final class Writer extends RingPipeline
    {
        private final ScheduleBuilder steps;
        private final RingPattern ring;
        private final Partition chunks;
        private final long segment;
        private final int window;
        private final long slotLength;
        private final long incoming;
        private long sent;
        private long received;
        private int exposed = -1;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request)
        {
            super(request);
            this.steps = steps;
            ring = new RingPattern(request.rank(), request.size());
            chunks = new Partition(request.count(), request.size());
            segment = request.segment();
            window = request.window();
            slotLength = Math.min(segment, chunks.longest());
            incoming = incoming(0);
            steps.scratch(window * slotLength);
        }

        Schedule write()
        {
            if (incoming(ring.size() - 1) > 0)
            {
                steps.expose(ring.previous(), Channels.EXPOSE);
            }
            writeLaps(ring.steps(), segments(0).number());
            return steps.build();
        }

        @Override
        void send(final int step, final int index, final int ready)
        {
            final Segments chunk = segments(ring.sent(step));
            final long length = chunk.length(index);
            if (length == 0)
            {
                return;
            }
            final long offset = chunk.offset(index);
            final long message = sent++;
            final int credit = message < window ? -1 : steps.await(ring.next(), Channels.CREDIT);
            if (isReduced(step))
            {
                final Location source = step == 0 ? INPUT.at(offset) : OUTPUT.at(offset);
                steps.put(ring.next(), Channels.DATA, source, SCRATCH.at(slot(message)), length, ready, credit);
            }
            else
            {
                exposed = exposed < 0 ? steps.await(ring.next(), Channels.EXPOSE) : exposed;
                steps.put(
                    ring.next(), Channels.DATA, OUTPUT.at(offset), OUTPUT.at(offset), length, ready, credit, exposed);
            }
        }

        @Override
        int receive(final int step, final int index)
        {
            final Segments chunk = segments(ring.received(step));
            final long length = chunk.length(index);
            if (length == 0)
            {
                return -1;
            }
            final long offset = chunk.offset(index);
            final long message = received++;
            int ready = steps.await(ring.previous(), Channels.DATA);
            if (isReduced(step))
            {
                final boolean finish = !isReduced(step + 1);
                ready = steps.reduce(
                    SCRATCH.at(slot(message)), INPUT.at(offset), OUTPUT.at(offset), length, finish, ready);
            }
            if (message + window < incoming)
            {
                steps.signal(ring.previous(), Channels.CREDIT, ready);
            }
            return ready;
        }

        private boolean isReduced(final int step)
        {
            return step < ring.size() - 1;
        }

        private long slot(final long message)
        {
            return message % window * slotLength;
        }

        private Segments segments(final int chunk)
        {
            return new Segments(chunks.offset(chunk), chunks.length(chunk), segment);
        }

        /** The number of messages from the previous rank, from a step on. */
        private long incoming(final int firstStep)
        {
            long messages = 0;
            for (int step = firstStep; step < ring.steps(); step++)
            {
                messages += segments(ring.received(step)).number();
            }
            return messages;
        }
    }
}
