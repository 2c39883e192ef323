/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.check;

import org.tutti.collectives.schedule.BufferId;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.Schedule;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.List;

/**
 * In which memory each buffer of each rank is, and where it begins there: in place, INPUT and OUTPUT are parts of one.
 * A memory has the ordinal of the buffer whose it is, that of OUTPUT if both are in it.
 */
final class Placement
{
    private final Collective collective;
    private final List<Schedule> schedules;

    Placement(final Collective collective, final List<Schedule> schedules)
    {
        this.collective = collective;
        this.schedules = schedules;
    }

    /** The memory that a buffer is in. */
    BufferId memory(final int rank, final BufferId buffer)
    {
        return buffer == BufferId.INPUT && isShared(rank) ? BufferId.OUTPUT : buffer;
    }

    /** The first element of a buffer in its memory. */
    long start(final int rank, final BufferId buffer)
    {
        if (buffer == BufferId.SCRATCH || !isShared(rank))
        {
            return 0;
        }
        return buffer == BufferId.INPUT ? collective.inputStart(request(rank)) : collective.outputStart(request(rank));
    }

    /** How long a buffer is. */
    long length(final int rank, final BufferId buffer)
    {
        return switch (buffer)
        {
            case INPUT -> collective.inputCount(request(rank));
            case OUTPUT -> collective.outputCount(request(rank));
            case SCRATCH -> schedules.get(rank).scratchCount();
        };
    }

    /** How long a memory is: up to the end of all buffers that are in it. */
    long memoryLength(final int rank, final BufferId memory)
    {
        long length = 0;
        for (final BufferId buffer : BufferId.values())
        {
            if (memory(rank, buffer) == memory)
            {
                length = Math.max(length, start(rank, buffer) + length(rank, buffer));
            }
        }
        return length;
    }

    private boolean isShared(final int rank)
    {
        return collective.isShared(request(rank));
    }

    private ScheduleRequest request(final int rank)
    {
        return schedules.get(rank).request();
    }
}
