/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.ScheduleRequest;

/** What all ranks send all others at once: schedules that grow with the ranks and with the segments. */
final class DirectSegments
{
    private static final long MAX_STEPS = 1L << 21;
    private static final int STEPS_PER_RANK = 5;

    private DirectSegments()
    {
    }

    /**
     * Cuts the data.
     *
     * @param algorithm algorithm for messages.
     * @param request   request of the schedule.
     * @param length    length of a segment, at least 1.
     * @return the segments.
     * @throws IllegalArgumentException if the schedule would be too long, with what helps.
     */
    static Segments of(final String algorithm, final ScheduleRequest request, final long length)
    {
        final Segments segments = new Segments(0, request.count(), length);
        final long steps = (long)segments.number() * request.size() * STEPS_PER_RANK;
        if (steps > MAX_STEPS)
        {
            throw new IllegalArgumentException(algorithm + " on " + request.size() + " ranks takes up to " + steps +
                " steps for count=" + request.count() + " in segments of " + length + " elements, more than " +
                MAX_STEPS + ": choose another algorithm for this length by TUTTI_ALGORITHM, or make several calls of " +
                "fewer elements");
        }
        return segments;
    }
}
