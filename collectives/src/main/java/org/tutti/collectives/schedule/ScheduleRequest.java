/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * What a schedule is made for. All ranks of a call use the same values but for the rank, and whether it works in place.
 *
 * @param rank    whose schedule.
 * @param size    how many ranks, at least 1.
 * @param count   elements of the buffers, from 0.
 * @param root    the root of a broadcast, 0 for the others.
 * @param inPlace whether INPUT and OUTPUT are the same memory.
 * @param segment the most elements that one PUT carries, at least 1: the unit of pipelining.
 * @param window  the most segments under way from a rank to a peer on a channel: slots of SCRATCH, at least 1.
 */
public record ScheduleRequest(int rank, int size, long count, int root, boolean inPlace, long segment, int window)
{
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException naming the value and its limits.
     */
    public ScheduleRequest
    {
        require(size >= 1, "size", size, "at least 1");
        require(rank >= 0 && rank < size, "rank", rank, "from 0 to " + (size - 1));
        require(count >= 0, "count", count, "at least 0");
        require(root >= 0 && root < size, "root", root, "from 0 to " + (size - 1));
        require(segment >= 1, "segment", segment, "at least 1");
        require(window >= 1, "window", window, "at least 1");
    }

    /**
     * The same for another rank.
     *
     * @param otherRank from 0 to size - 1.
     * @return a request that differs in the rank only.
     */
    public ScheduleRequest withRank(final int otherRank)
    {
        return new ScheduleRequest(otherRank, size, count, root, inPlace, segment, window);
    }

    /**
     * The same, in place or not.
     *
     * @param otherInPlace whether INPUT and OUTPUT are the same memory, on this rank.
     * @return a request that differs in the placement only.
     */
    public ScheduleRequest withPlacement(final boolean otherInPlace)
    {
        return new ScheduleRequest(rank, size, count, root, otherInPlace, segment, window);
    }

    private static void require(final boolean condition, final String name, final long value, final String range)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(name + "=" + value + ": must be " + range);
        }
    }
}
