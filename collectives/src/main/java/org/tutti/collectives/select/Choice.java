/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.schedule.ScheduleGenerator;
import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * How to do a call.
 *
 * @param algorithm    makes the schedule.
 * @param segmentBytes the most bytes of one PUT.
 * @param window       the most segments under way from a rank to a peer.
 * @param reason       the line of the table that says so, for people.
 */
public record Choice(ScheduleGenerator algorithm, long segmentBytes, int window, String reason)
{
    /**
     * The request for the call's schedule.
     *
     * @param rank        whose.
     * @param size        how many ranks.
     * @param count       elements.
     * @param elementSize bytes of one.
     * @param root        of a broadcast, else 0.
     * @param inPlace     whether INPUT and OUTPUT are the same.
     * @return the segment in elements, at least one.
     */
    public ScheduleRequest request(
        final int rank, final int size, final long count, final int elementSize, final int root,
        final boolean inPlace)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, Math.max(1, segmentBytes / elementSize), window);
    }
}
