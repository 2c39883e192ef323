/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.pattern.Segments;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Segments of algorithms in which all ranks send to all others, so that the schedule grows with both ranks and
 * segments.
 */
final class DirectSegments
{
    private static final long MAX_STEPS = 1L << 21;
    private static final int STEPS_PER_RANK = 5;

    private DirectSegments()
    {
    }

    /**
     * Divides the data into segments.
     *
     * @param algorithm name of the algorithm, for messages.
     * @param request   request of the schedule.
     * @param length    length of a segment in elements, at least 1.
     * @return the segments.
     * @throws IllegalArgumentException if the schedule would be too long; the message says what to do.
     */
    static Segments of(final String algorithm, final ScheduleRequest request, final long length)
    {
        final Segments segments = new Segments(0, request.count(), length);
        final long steps = (long)segments.number() * request.size() * STEPS_PER_RANK;
        if (steps > MAX_STEPS)
        {
            throw new IllegalArgumentException(algorithm + " on " + request.size() + " ranks needs up to " + steps +
                " steps for count=" + request.count() + " in segments of " + length + " elements, more than " +
                MAX_STEPS + ": choose another algorithm for this length with TUTTI_ALGORITHM, or split the call into " +
                "several with fewer elements");
        }
        return segments;
    }
}
