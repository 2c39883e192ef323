/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.DisseminationPattern;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleBuilder;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Barrier in {@code ceil(log2 n)} rounds of one SIGNAL each: in round {@code i} a rank signals the rank {@code 2^i}
 * above. No elements, no SCRATCH.
 * <p>
 * Hensgen, Finkel and Manber, <i>Two algorithms for barrier synchronization</i>, International Journal of Parallel
 * Programming 17(1), 1988, doi:10.1007/BF01379320.
 */
final class DisseminationBarrier implements ScheduleGenerator
{
    @Override
    public Schedule generate(final ScheduleRequest request)
    {
        final ScheduleBuilder steps = new ScheduleBuilder(request);
        final DisseminationPattern pattern = new DisseminationPattern(request.rank(), request.size());
        int received = -1;
        for (int round = 0; round < pattern.rounds(); round++)
        {
            steps.signal(pattern.to(round), Channels.DATA, received);
            received = steps.await(pattern.from(round), Channels.DATA, received);
        }
        return steps.build();
    }
}
