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
 * The algorithm and parameters of a call.
 *
 * @param algorithm    algorithm that generates the schedule.
 * @param segmentBytes maximum length of one PUT, in bytes.
 * @param window       maximum number of segments in flight from a rank to a peer.
 * @param reason       rule that selected the algorithm, for explanations.
 */
public record Choice(Algorithm algorithm, long segmentBytes, int window, String reason)
{
    /**
     * Returns the request for the call's schedule.
     *
     * @param rank        calling rank.
     * @param size        number of ranks.
     * @param count       number of elements.
     * @param elementSize size of an element in bytes.
     * @param root        root of the call, or 0 if it has none.
     * @param inPlace     whether INPUT and OUTPUT are the same.
     * @return request with a segment of at least one element.
     */
    public ScheduleRequest request(
        final int rank, final int size, final long count, final int elementSize, final int root,
        final boolean inPlace)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, Math.max(1, segmentBytes / elementSize), window);
    }

    /**
     * Returns a copy with another segment.
     *
     * @param bytes maximum length of one PUT, in bytes.
     * @param why   reason for the change, for messages.
     * @return choice that states both reasons.
     */
    public Choice withSegment(final long bytes, final String why)
    {
        return new Choice(algorithm, bytes, window, reason + "; " + why);
    }

    /**
     * Describes the choice for a call, with the reason.
     *
     * @param size  number of ranks.
     * @param bytes buffer length in bytes.
     * @return one line, such as
     *     {@code allreduce of 8 bytes, 4 ranks: one_shot, segment 65536 bytes, window 1 (measured default for 0-16k,
     *     from 3 up to 8 ranks)}.
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
