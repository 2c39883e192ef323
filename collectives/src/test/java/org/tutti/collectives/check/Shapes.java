/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Requests to test algorithms with, each as rank 0's. */
final class Shapes
{
    private static final int ALL_ROOTS_UP_TO = 6;

    private Shapes()
    {
    }

    /** All counts from 0 to twice the size and one, in place or not, in short and long segments, with small windows. */
    static List<ScheduleRequest> of(final Collective collective, final int size)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        final long maxCount = collective == Collective.BARRIER ? 0 : 2L * size + 1;
        for (long count = 0; count <= maxCount; count++)
        {
            for (final long segment : LongStream.of(1, 2, 3, Math.max(1, count)).distinct().toArray())
            {
                for (int window = 1; window <= 3; window++)
                {
                    addPlacements(requests, collective, new ScheduleRequest(0, size, count, 0, false, segment, window));
                }
            }
        }
        return requests;
    }

    private static void addPlacements(
        final List<ScheduleRequest> requests, final Collective collective, final ScheduleRequest request)
    {
        if (collective == Collective.BROADCAST)
        {
            roots(request.size()).forEach((root) -> requests.add(new ScheduleRequest(
                0, request.size(), request.count(), root, true, request.segment(), request.window())));
        }
        else
        {
            requests.add(request);
            requests.add(new ScheduleRequest(
                0, request.size(), request.count(), 0, true, request.segment(), request.window()));
        }
    }

    private static IntStream roots(final int size)
    {
        return size <= ALL_ROOTS_UP_TO ? IntStream.range(0, size) : IntStream.of(0, size / 2, size - 1);
    }

    static List<Schedule> schedules(final ScheduleGenerator algorithm, final ScheduleRequest request)
    {
        return IntStream.range(0, request.size())
            .mapToObj((rank) -> algorithm.generate(request.withRank(rank))).toList();
    }
}
