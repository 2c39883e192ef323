/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Arrays;

import static org.tutti.collectives.schedule.BufferId.INPUT;
import static org.tutti.collectives.schedule.BufferId.OUTPUT;
import static org.tutti.collectives.schedule.BufferId.SCRATCH;

/**
 * Scan for large data along a chain: each rank adds its segments to the sums of all ranks before it and forwards the
 * result to the next rank. Each rank sends the data at most once; {@code s} segments take {@code s + n - 2} steps.
 * SCRATCH: {@code 2 * window * segment} elements. Inputs are combined in rank order.
 * <p>
 * Sanders and Träff, <i>Parallel Prefix (Scan) Algorithms for MPI</i>, Recent Advances in PVM and MPI, LNCS 4192, 2006,
 * doi:10.1007/11846802_15 (there: linear pipeline).
 *
 * @param collective SCAN or EXSCAN.
 */
record ChainScan(Collective collective) implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        new Writer(steps, request, collective == Collective.EXSCAN).write();
        return steps.build();
    }

    private static final class Writer
    {
        private final ScheduleBuilder steps;
        private final ScheduleRequest request;
        private final boolean exclusive;
        private final Segments segments;
        private final int previous;
        private final int next;
        private final int window;
        private final int[] putFrom;

        Writer(final ScheduleBuilder steps, final ScheduleRequest request, final boolean exclusive)
        {
            this.steps = steps;
            this.request = request;
            this.exclusive = exclusive;
            segments = new Segments(0, request.count(), request.segment());
            previous = request.rank() - 1;
            next = request.rank() + 1 == request.size() ? -1 : request.rank() + 1;
            window = request.window();
            putFrom = new int[window];
            Arrays.fill(putFrom, -1);
            steps.scratch(request.size() == 1 ? 0 : 2L * window * segments.longest());
        }

        void write()
        {
            for (int i = 0; i < segments.number(); i++)
            {
                if (previous < 0)
                {
                    begin(i);
                }
                else if (exclusive)
                {
                    scanExclusive(i);
                }
                else
                {
                    scanInclusive(i);
                }
            }
        }

        private void begin(final int index)
        {
            final long offset = segments.offset(index);
            if (next >= 0)
            {
                final int credit = index < window ? -1 : steps.await(next, Channels.CREDIT);
                steps.put(
                    next, Channels.DATA, INPUT.at(offset), SCRATCH.at(slot(index)), segments.length(index), credit);
            }
            if (!exclusive && !request.inPlace())
            {
                steps.copy(INPUT.at(offset), OUTPUT.at(offset), segments.length(index));
            }
        }

        private void scanInclusive(final int index)
        {
            final long offset = segments.offset(index);
            final long length = segments.length(index);
            final int arrived = steps.await(previous, Channels.DATA);
            final int sum = steps.reduce(
                SCRATCH.at(slot(index)), INPUT.at(offset), OUTPUT.at(offset), length, false, arrived);
            grant(index, sum);
            if (next >= 0)
            {
                final int credit = index < window ? -1 : steps.await(next, Channels.CREDIT);
                steps.put(next, Channels.DATA, OUTPUT.at(offset), SCRATCH.at(slot(index)), length, sum, credit);
            }
        }

        private void scanExclusive(final int index)
        {
            final long offset = segments.offset(index);
            final long length = segments.length(index);
            final int arrived = steps.await(previous, Channels.DATA);
            int sum = -1;
            if (next >= 0)
            {
                sum = steps.reduce(
                    SCRATCH.at(slot(index)), INPUT.at(offset), SCRATCH.at(sumSlot(index)), length, false, arrived,
                    putFrom[index % window]);
                final int credit = index < window ? -1 : steps.await(next, Channels.CREDIT);
                putFrom[index % window] = steps.put(
                    next, Channels.DATA, SCRATCH.at(sumSlot(index)), SCRATCH.at(slot(index)), length, sum, credit);
            }
            // In place, the copy overwrites the input, which the sum must have read.
            final int copied = steps.copy(
                SCRATCH.at(slot(index)), OUTPUT.at(offset), length, arrived, request.inPlace() ? sum : -1);
            grant(index, copied, sum);
        }

        private void grant(final int index, final int... after)
        {
            if (index + window < segments.number())
            {
                steps.signal(previous, Channels.CREDIT, after);
            }
        }

        private long slot(final int index)
        {
            return index % window * segments.longest();
        }

        private long sumSlot(final int index)
        {
            return (window + index % window) * segments.longest();
        }
    }
}
