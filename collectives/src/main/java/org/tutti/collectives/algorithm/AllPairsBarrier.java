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
 * Barrier of few ranks: each sends a SIGNAL to every other, and waits for all of theirs. One round of {@code n - 1}
 * SIGNALs; no elements, no SCRATCH, no restrictions. A rank waits for all others at once, so that ranks that share a
 * core hand it over once each, where rounds that follow one another would have them do so in each.
 * <p>
 * The dissemination barrier of the widest kind in Hoefler, Mehlan, Mietke and Rehm, <i>Fast Barrier Synchronization for
 * InfiniBand</i>, IPDPS 2006, doi:10.1109/IPDPS.2006.1639575.
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
