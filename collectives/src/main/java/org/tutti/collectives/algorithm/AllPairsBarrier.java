/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Barrier for few ranks in one round: every rank sends a SIGNAL to each of the {@code n - 1} others and waits for
 * theirs. A rank waits for all others at once, so ranks that share a core need one context switch each, not one per
 * round. No elements, no SCRATCH.
 * <p>
 * Hoefler, Mehlan, Mietke and Rehm, <i>Fast Barrier Synchronization for InfiniBand</i>, IPDPS 2006,
 * doi:10.1109/IPDPS.2006.1639575 (there: the widest dissemination barrier).
 */
final class AllPairsBarrier implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        for (int i = 1; i < request.size(); i++)
        {
            steps.signal((request.rank() + i) % request.size(), Channels.DATA);
        }
        for (int i = 1; i < request.size(); i++)
        {
            steps.await((request.rank() + i) % request.size(), Channels.DATA);
        }
        return steps.build();
    }
}
