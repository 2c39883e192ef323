/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.algorithm;

/**
 * The order in which a rank of a ring receives and sends, of chunks that are cut into segments. A <i>lap</i> takes a
 * few segments of every chunk round the ring, through all steps, before the next lap. What a rank receives makes it
 * send one segment, so that as many segments as a lap has per chunk are always under way ahead of what it waits for:
 * half the window, so that credits are back before they are needed.
 */
abstract class RingLaps
{
    /**
     * Writes the steps that receive a segment, if it is not empty.
     *
     * @param step  step of the ring, from 0.
     * @param index index of the segment in the chunk that comes in this step.
     * @return the step after which it may be sent on, or -1.
     */
    abstract int receive(int step, int index);

    /**
     * Writes the steps that send a segment, if it is not empty.
     *
     * @param step  step of the ring, from 0.
     * @param index index of the segment in the chunk that goes in this step.
     * @param ready the step after which it may be sent, or -1: what {@link #receive} said of the step before.
     */
    abstract void send(int step, int index, int ready);

    /**
     * Writes all steps.
     *
     * @param ringSteps number of steps of the ring.
     * @param segments  segments of the longest chunk.
     * @param window    segments under way at most.
     */
    final void writeLaps(final int ringSteps, final int segments, final int window)
    {
        final int lap = Math.max(1, window / 2);
        for (int i = 0; i < Math.min(lap, segments); i++)
        {
            send(0, i, -1);
        }
        for (int first = 0; first < segments; first += lap)
        {
            writeLap(ringSteps, first, lap, segments);
        }
    }

    private void writeLap(final int ringSteps, final int first, final int lap, final int segments)
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
