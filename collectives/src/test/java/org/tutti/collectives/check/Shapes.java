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
public final class Shapes
{
    /** The receive requests that suffice for one call, as is proved of all requests of here. */
    public static final int QUEUE_DEPTH = 64;
    /** The windows of which there are requests. */
    static final List<Integer> WINDOWS = List.of(1, 2, 3, 4, 5, 8);

    private static final int ALL_ROOTS_UP_TO = 6;
    private static final int ALL_COUNTS_UP_TO_WINDOW = 3;

    private Shapes()
    {
    }

    /**
     * With small windows, all counts from 0 to twice the size and one, in place or not, in short and long segments;
     * with those of production, fewer counts, but so many segments that every window is filled and used again.
     */
    static List<ScheduleRequest> of(final Collective collective, final int size)
    {
        final List<ScheduleRequest> requests = new ArrayList<>();
        final long maxCount = collective == Collective.BARRIER ? 0 : 2L * size + 1;
        for (final int window : WINDOWS)
        {
            if (window <= ALL_COUNTS_UP_TO_WINDOW)
            {
                for (long count = 0; count <= maxCount; count++)
                {
                    addSegments(requests, collective, size, count, window, 1, 2, 3, Math.max(1, count));
                }
            }
            else if (collective != Collective.BARRIER)
            {
                addSegments(requests, collective, size, maxCount, window, 1, 2);
                addSegments(requests, collective, size, manyFor(size, window), window, 1);
            }
        }
        return requests;
    }

    /** More than a window of segments of one element in half the buffer, and more than half a window in each chunk. */
    private static long manyFor(final int size, final int window)
    {
        return Math.max(2L * window + 3, size * (window / 2 + 1L) + 1);
    }

    private static void addSegments(
        final List<ScheduleRequest> requests, final Collective collective, final int size, final long count,
        final int window, final long... segments)
    {
        for (final long segment : LongStream.of(segments).distinct().toArray())
        {
            addPlacements(requests, collective, new ScheduleRequest(0, size, count, 0, false, segment, window));
        }
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
            requests.add(request.withPlacement(true));
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

    /** The schedules of ranks of which every other one works in place. */
    static List<Schedule> schedulesOfMixedPlacement(
        final ScheduleGenerator algorithm, final ScheduleRequest request, final boolean firstInPlace)
    {
        return IntStream.range(0, request.size())
            .mapToObj((rank) -> algorithm.generate(
                request.withRank(rank).withPlacement(rank % 2 == 0 == firstInPlace))).toList();
    }
}
