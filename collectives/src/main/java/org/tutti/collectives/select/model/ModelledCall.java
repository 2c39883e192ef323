/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.select.model;

import org.tutti.collectives.schedule.ScheduleRequest;

/**
 * A call whose time is computed.
 *
 * @param ranks   ranks of the call, with their links.
 * @param bytes   bytes of the longest buffer.
 * @param segment maximum length of one PUT, in bytes.
 * @param window  maximum number of segments in flight from a rank to a peer.
 */
record ModelledCall(ModelledRanks ranks, double bytes, long segment, int window)
{
    int size()
    {
        return ranks.size();
    }

    /** Bytes of one rank's chunk or block. */
    double block()
    {
        return bytes / ranks.size();
    }

    /** Number of segments of a length in bytes, at least 1; a double, as products of it may exceed an int. */
    double segments(final double length)
    {
        return Math.max(1, Math.ceil(length / segment));
    }

    /** Whether the data is one segment. */
    boolean fitsSegment()
    {
        return bytes <= segment;
    }

    /**
     * Time in nanoseconds per segment in which a window of segments and the credits for them go over a link; 0 if there
     * are no more segments than the window, as the sender then waits for no credit.
     *
     * @param link   link between the ranks.
     * @param number number of segments.
     * @param length length of a segment in bytes.
     * @param local  time in nanoseconds that the receiver needs for a segment before it returns the credit.
     */
    double creditNs(final ModelLink link, final double number, final double length, final double local)
    {
        return number > window ? (link.message(length) + local + link.signal()) / window : 0;
    }

    /** Number of segments that a rank sends before it waits for one, if it waits for credits. */
    double halfWindow()
    {
        return ScheduleRequest.halfWindow(window);
    }

    ModelledCall on(final ModelledRanks others, final double otherBytes)
    {
        return new ModelledCall(others, otherBytes, segment, window);
    }
}
