/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.tools.simulate;

import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Objects;
import java.util.function.LongFunction;

/**
 * A call whose time is asked for.
 *
 * @param algorithm   makes its schedules.
 * @param requests    gives the request of rank 0 for a number of elements.
 * @param count       elements.
 * @param elementSize bytes of one.
 */
public record SimulatedCall(
    Algorithm algorithm, LongFunction<ScheduleRequest> requests, long count, int elementSize)
{
    /**
     * Checks that nothing is missing.
     *
     * @throws NullPointerException     if something is.
     * @throws IllegalArgumentException if the size is not at least 1.
     */
    public SimulatedCall
    {
        Objects.requireNonNull(algorithm, "algorithm");
        Objects.requireNonNull(requests, "requests");
        if (elementSize < 1)
        {
            throw new IllegalArgumentException("elementSize=" + elementSize + ": must be at least 1");
        }
    }

    int size()
    {
        return requests.apply(count).size();
    }

    SimulatedCall withCount(final long other)
    {
        return new SimulatedCall(algorithm, requests, other, elementSize);
    }

    /**
     * Makes the schedule of one rank.
     *
     * @param rank rank, from 0.
     * @return never null.
     */
    public Schedule schedule(final int rank)
    {
        return algorithm.generate(requests.apply(count).withRank(rank));
    }
}
