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
 * A call to predict.
 *
 * @param algorithm   algorithm that creates the schedules.
 * @param requests    function from a number of elements to the request of rank 0.
 * @param count       number of elements.
 * @param elementSize bytes of an element.
 */
public record SimulatedCall(
    Algorithm algorithm, LongFunction<ScheduleRequest> requests, long count, int elementSize)
{
    /**
     * Validates the components.
     *
     * @throws NullPointerException     if a component is null.
     * @throws IllegalArgumentException if the element size is less than 1.
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
     * Creates the schedule of one rank.
     *
     * @param rank rank, from 0.
     * @return the schedule.
     */
    public Schedule schedule(final int rank)
    {
        return algorithm.generate(requests.apply(count).withRank(rank));
    }
}
