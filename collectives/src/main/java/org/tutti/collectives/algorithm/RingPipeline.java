/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * Order in which a rank of a ring receives and sends chunks that are split into segments. A <i>lap</i> moves a few
 * segments of every chunk through all steps of the ring before the next lap starts. A rank first sends as many segments
 * as a lap has per chunk, then one for each segment that it receives; so its sends are always that number of segments
 * ahead of its WAITs. A lap has half a window of segments per chunk, so that credits return before they are needed.
 */
abstract class RingPipeline
{
    private final int lap;

    /**
     * Creates the pipeline of one rank.
     *
     * @param request request of the schedule.
     */
    RingPipeline(final ScheduleRequest request)
    {
        lap = request.halfWindow();
    }

    /**
     * Writes the steps that receive a segment, unless it is empty.
     *
     * @param step  step of the ring, from 0.
     * @param index index of the segment in the chunk that is received in this step.
     * @return step after which the segment may be sent on, or -1.
     */
    abstract int receive(int step, int index);

    /**
     * Writes the steps that send a segment, unless it is empty.
     *
     * @param step  step of the ring, from 0.
     * @param index index of the segment in the chunk that is sent in this step.
     * @param ready step after which the segment may be sent: the result of {@link #receive} for the step before, or -1.
     */
    abstract void send(int step, int index, int ready);

    /**
     * Writes all steps.
     *
     * @param ringSteps number of steps of the ring.
     * @param segments  number of segments of the longest chunk.
     */
    final void writeLaps(final int ringSteps, final int segments)
    {
        for (int i = 0; i < Math.min(lap, segments); i++)
        {
            send(0, i, -1);
        }
        for (int first = 0; first < segments; first += lap)
        {
            writeLap(ringSteps, first, segments);
        }
    }

    private void writeLap(final int ringSteps, final int first, final int segments)
    {
        for (int step = 0; step < ringSteps; step++)
        {
            for (int i = first; i < Math.min(first + lap, segments); i++)
            {
                final int ready = receive(step, i);
                if (step + 1 < ringSteps)
                {
                    send(step + 1, i, ready);
                }
                else if (i + lap < segments)
                {
                    send(0, i + lap, -1);
                }
            }
        }
    }
}
