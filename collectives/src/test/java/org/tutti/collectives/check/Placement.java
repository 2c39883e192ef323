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
 * The memory of each buffer of each rank, and the buffer's start in it: in place, INPUT and OUTPUT share one memory. A
 * memory is identified by its buffer; a shared one by OUTPUT.
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

    /** Returns the memory of a buffer. */
    BufferId memory(final int rank, final BufferId buffer)
    {
        return buffer == BufferId.INPUT && isShared(rank) ? BufferId.OUTPUT : buffer;
    }

    /** Returns the index of a buffer's first element in its memory. */
    long start(final int rank, final BufferId buffer)
    {
        if (buffer == BufferId.SCRATCH || !isShared(rank))
        {
            return 0;
        }
        return buffer == BufferId.INPUT ? collective.inputStart(request(rank)) : collective.outputStart(request(rank));
    }

    /** Returns the length of a buffer in elements. */
    long length(final int rank, final BufferId buffer)
    {
        return switch (buffer)
        {
            case INPUT -> collective.inputCount(request(rank));
            case OUTPUT -> collective.outputCount(request(rank));
            case SCRATCH -> schedules.get(rank).scratchCount();
        };
    }

    /** Returns the length of a memory in elements, up to the last end of its buffers. */
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
