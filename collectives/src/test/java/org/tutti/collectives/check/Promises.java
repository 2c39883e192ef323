/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;

/** The required value of every element of OUTPUT when a collective ends. */
final class Promises
{
    private final Collective collective;
    private final List<Schedule> schedules;

    /**
     * An element of the inputs of consecutive ranks, reduced if there are several.
     *
     * @param first    first rank.
     * @param last     last rank, inclusive.
     * @param element  index in their INPUTs.
     * @param finished whether the last reduction finishes it.
     */
    record Promise(int first, int last, long element, boolean finished)
    {
    }

    Promises(final Collective collective, final List<Schedule> schedules)
    {
        this.collective = collective;
        this.schedules = schedules;
    }

    /**
     * Returns the promise for one element.
     *
     * @return promise, or null if the element must not change.
     */
    Promise of(final int rank, final long element)
    {
        final ScheduleRequest request = schedules.get(rank).request();
        return switch (collective)
        {
            case ALLREDUCE, REDUCE -> ofAll(element);
            case REDUCE_SCATTER -> ofAll(request.blocks().offset(rank) + element);
            case SCAN -> new Promise(0, rank, element, false);
            case EXSCAN -> rank == 0 ? null : new Promise(0, rank - 1, element, false);
            case BROADCAST -> copy(request.root(), element);
            case SCATTER, SCATTERV ->
                copy(request.root(), request(request.root()).blocks().offset(rank) + element);
            case ALLGATHER, GATHER, GATHERV ->
            {
                final int block = blockOf(request.blocks(), element);
                yield block < 0 ? null : copy(block, element - request.blocks().offset(block));
            }
            case ALLTOALL, ALLTOALLV ->
            {
                final int block = blockOf(request.received(), element);
                yield block < 0 ? null : copy(
                    block, request(block).blocks().offset(rank) + element - request.received().offset(block));
            }
            case BARRIER -> null;
        };
    }

    private Promise ofAll(final long element)
    {
        final int size = schedules.size();
        return new Promise(0, size - 1, element, size > 1);
    }

    private static Promise copy(final int rank, final long element)
    {
        return new Promise(rank, rank, element, false);
    }

    private static int blockOf(final Blocks blocks, final long element)
    {
        for (int block = 0; block < blocks.number(); block++)
        {
            if (blocks.offset(block) <= element && element < blocks.offset(block) + blocks.length(block))
            {
                return block;
            }
        }
        return -1;
    }

    private ScheduleRequest request(final int rank)
    {
        return schedules.get(rank).request();
    }
}
