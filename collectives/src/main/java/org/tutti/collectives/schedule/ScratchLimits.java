/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * Generates schedules that fit SCRATCH, and so decides which algorithms can be built: the engine executes these
 * schedules, and the tools list only algorithms that have one.
 *
 * @param longest SCRATCH of a call in bytes, at least 0.
 * @param eager   maximum length in bytes of the part of SCRATCH that peers write eagerly, at least 0.
 */
public record ScratchLimits(long longest, long eager)
{
    /**
     * Generates a schedule. If it exceeds SCRATCH, retries with shorter eager blocks, then with shorter segments.
     *
     * @param algorithm   algorithm to generate with.
     * @param asked       request with the longest segment and eager blocks.
     * @param elementSize bytes of an element, at least 1.
     * @return schedule whose request has the segment and eager blocks that fit.
     * @throws IllegalArgumentException if none fits, or the schedule is too long; the message has the limit and the
     *                                  fix.
     */
    public Schedule generate(final Algorithm algorithm, final ScheduleRequest asked, final int elementSize)
    {
        Schedule schedule = algorithm.generate(asked);
        while (!fits(schedule, elementSize))
        {
            final ScheduleRequest less = withLessScratch(algorithm, schedule.request());
            try
            {
                schedule = algorithm.generate(less);
            }
            catch (final IllegalArgumentException e)
            {
                throw tooLong(algorithm, less, e);
            }
        }
        return schedule;
    }

    private boolean fits(final Schedule schedule, final int elementSize)
    {
        return schedule.scratchCount() * elementSize <= longest &&
            (schedule.scratchCount() - schedule.eagerStart()) * elementSize <= eager;
    }

    private ScheduleRequest withLessScratch(final Algorithm algorithm, final ScheduleRequest request)
    {
        if (request.eager() > 0)
        {
            return request.withEager(request.eager() / 2);
        }
        if (request.segment() == 1)
        {
            throw new IllegalArgumentException(algorithm.name() + " on " + request.size() + " ranks needs more than " +
                "TUTTI_SCRATCH=" + longest + ": increase it, or choose another algorithm with TUTTI_ALGORITHM");
        }
        // If ranks know only their own counts, the segment must not depend on these counts.
        final long most = algorithm.collective().hasLocalCounts() ? request.segment() :
            Math.min(request.segment(), request.count());
        return request.withSegment(Math.max(1, most / 2));
    }

    private IllegalArgumentException tooLong(
        final Algorithm algorithm, final ScheduleRequest request, final IllegalArgumentException cause)
    {
        return new IllegalArgumentException(algorithm.name() + " on " + request.size() + " ranks needs more than " +
            "TUTTI_SCRATCH=" + longest + ", and too many steps with segments of " + request.segment() +
            " elements, which need less: increase TUTTI_SCRATCH, or choose another algorithm with TUTTI_ALGORITHM",
            cause);
    }
}
