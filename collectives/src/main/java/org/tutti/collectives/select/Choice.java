/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select;

import org.tutti.collectives.schedule.Algorithm;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.schedule.ScheduleRequest;

import java.util.Locale;

/**
 * How to do a call.
 *
 * @param algorithm    makes the schedule.
 * @param segmentBytes the most bytes of one PUT.
 * @param window       the most segments under way from a rank to a peer.
 * @param reason       the rule that chose it, for explanations.
 */
public record Choice(Algorithm algorithm, long segmentBytes, int window, String reason)
{
    /**
     * The request for the call's schedule.
     *
     * @param rank        the rank that makes the call.
     * @param size        number of ranks.
     * @param count       elements.
     * @param elementSize bytes of one.
     * @param root        root of a broadcast, else 0.
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

    /**
     * The same with another segment.
     *
     * @param bytes the most of one PUT.
     * @param why   reason, for messages.
     * @return a choice that gives both reasons.
     */
    public Choice withSegment(final long bytes, final String why)
    {
        return new Choice(algorithm, bytes, window, reason + "; " + why);
    }

    /**
     * Says what a call gets, and why.
     *
     * @param size  number of ranks.
     * @param bytes the buffer's length.
     * @return one line, such as
     *     {@code allreduce of 1048576 bytes, 2 ranks: ring, segment 131072 bytes, window 4 (default for 4k-)}.
     */
    public String explain(final int size, final long bytes)
    {
        return nameOf(algorithm.collective()) + " of " + bytes + (bytes == 1 ? " byte, " : " bytes, ") +
            size + (size == 1 ? " rank: " : " ranks: ") + algorithm.name() +
            ", segment " + segmentBytes + " bytes, window " + window + " (" + reason + ")";
    }

    static String nameOf(final Collective collective)
    {
        return collective.name().toLowerCase(Locale.ROOT);
    }
}
