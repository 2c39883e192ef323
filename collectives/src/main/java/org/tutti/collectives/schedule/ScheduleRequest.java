/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;

/**
 * Parameters of a schedule. All ranks of a call use the same values except for {@code rank}, {@code inPlace}, and the
 * blocks and count of collectives in which a rank knows only its own blocks (GATHERV, SCATTERV, ALLTOALLV).
 *
 * @param rank     rank that the schedule is for.
 * @param size     number of ranks, at least 1.
 * @param count    number of elements, from 0: of the buffers (ALLREDUCE, BROADCAST, REDUCE, SCAN, EXSCAN), of this
 *                 rank's block (GATHERV, SCATTERV), or of the longest block; 0 for ALLTOALLV.
 * @param root     root rank, 0 for collectives without a root.
 * @param inPlace  whether INPUT and OUTPUT are the same memory, or one is this rank's block of the other.
 * @param segment  maximum number of elements of a PUT, at least 1: the unit of pipelining.
 * @param window   maximum number of segments in flight from a rank to a peer on a channel, at least 1; each needs a
 *                 slot if it goes to SCRATCH.
 * @param blocks   blocks of the buffer that has one block per rank; if both buffers have one, the blocks of INPUT;
 *                 null if the rank does not know the blocks.
 * @param received blocks of OUTPUT if both buffers have blocks (ALLTOALL, ALLTOALLV), else equal to {@code blocks}.
 * @param hosts    which ranks share a host.
 * @param eager    maximum length in elements, capped at segment, of a block that a rank sends to SCRATCH of a peer
 *                 without waiting for the peer, in algorithms with {@link Trait#USES_EAGER}; 0 for never.
 */
public record ScheduleRequest(
    int rank, int size, long count, int root, boolean inPlace, long segment, int window,
    Blocks blocks, Blocks received, HostMap hosts, long eager)
{
    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range; the message has the value and its limits.
     */
    public ScheduleRequest
    {
        require(size >= 1, "size", size, "at least 1");
        require(rank >= 0 && rank < size, "rank", rank, "from 0 to " + (size - 1));
        require(count >= 0, "count", count, "at least 0");
        require(root >= 0 && root < size, "root", root, "from 0 to " + (size - 1));
        require(segment >= 1, "segment", segment, "at least 1");
        require(window >= 1, "window", window, "at least 1");
        require(blocks == null || blocks.number() == size, "blocks", blocks == null ? 0 : blocks.number(),
            "one per rank: " + size);
        require(received == null || received.number() == size, "blocks", received == null ? 0 : received.number(),
            "one per rank: " + size);
        require(eager >= 0, "eager", eager, "at least 0");
        require(hosts.size() == size, "ranks of hosts", hosts.size(), "equal to size=" + size);
    }

    /**
     * Creates a request with blocks of equal length, on one host.
     *
     * @param rank    rank that the schedule is for.
     * @param size    number of ranks, at least 1.
     * @param count   number of elements of the buffers, or of each block.
     * @param root    root rank, or 0.
     * @param inPlace whether the rank works in place.
     * @param segment maximum number of elements of a PUT.
     * @param window  maximum number of segments in flight.
     */
    public ScheduleRequest(
        final int rank, final int size, final long count, final int root, final boolean inPlace,
        final long segment, final int window)
    {
        this(rank, size, count, root, inPlace, segment, window, Blocks.uniform(size, count), HostMap.one(size), 0);
    }

    private ScheduleRequest(
        final int rank, final int size, final long count, final int root, final boolean inPlace,
        final long segment, final int window, final Blocks blocks, final HostMap hosts, final long eager)
    {
        this(rank, size, count, root, inPlace, segment, window, blocks, blocks, hosts, eager);
    }

    /**
     * Returns this request for another rank.
     *
     * @param otherRank rank, from 0 to size - 1.
     * @return request that differs only in the rank.
     */
    public ScheduleRequest withRank(final int otherRank)
    {
        return new ScheduleRequest(
            otherRank, size, count, root, inPlace, segment, window, blocks, received, hosts, eager);
    }

    /**
     * Returns this request in place or not in place.
     *
     * @param otherInPlace whether this rank works in place.
     * @return request that differs only in {@code inPlace}.
     */
    public ScheduleRequest withPlacement(final boolean otherInPlace)
    {
        return new ScheduleRequest(
            rank, size, count, root, otherInPlace, segment, window, blocks, received, hosts, eager);
    }

    /**
     * Returns this request with another segment length.
     *
     * @param otherSegment maximum number of elements of a PUT.
     * @return request that differs only in the segment.
     */
    public ScheduleRequest withSegment(final long otherSegment)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, otherSegment, window, blocks, received, hosts, eager);
    }

    /**
     * Returns this request with blocks that all ranks know.
     *
     * @param otherBlocks one block per rank.
     * @return request that differs in the blocks, with the longest block as count.
     */
    public ScheduleRequest withBlocks(final Blocks otherBlocks)
    {
        return new ScheduleRequest(
            rank, size, otherBlocks.longest(), root, inPlace, segment, window, otherBlocks, hosts, eager);
    }

    /**
     * Returns this request with the blocks that this rank sends and receives.
     *
     * @param sent          one block per rank, in INPUT.
     * @param otherReceived one block per rank, in OUTPUT.
     * @return request that differs in the blocks, with a count of 0.
     */
    public ScheduleRequest withBlocks(final Blocks sent, final Blocks otherReceived)
    {
        return new ScheduleRequest(rank, size, 0, root, inPlace, segment, window, sent, otherReceived, hosts, eager);
    }

    /**
     * Returns this request with this rank's own block.
     *
     * @param otherCount  length of the block in elements.
     * @param otherBlocks all ranks' blocks, or null if this rank is not the root and does not know them.
     * @return request that differs in the blocks and the count.
     */
    public ScheduleRequest withOwnBlock(final long otherCount, final Blocks otherBlocks)
    {
        return new ScheduleRequest(rank, size, otherCount, root, inPlace, segment, window, otherBlocks, hosts, eager);
    }

    /**
     * Returns this request on other hosts.
     *
     * @param otherHosts hosts of the same number of ranks.
     * @return request that differs only in the hosts.
     */
    public ScheduleRequest withHosts(final HostMap otherHosts)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, segment, window, blocks, received, otherHosts, eager);
    }

    /**
     * Returns this request with another limit for eager blocks.
     *
     * @param otherEager maximum length of eager blocks, in elements, from 0.
     * @return request that differs only in the eager limit.
     */
    public ScheduleRequest withEager(final long otherEager)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, segment, window, blocks, received, hosts, otherEager);
    }

    /**
     * Returns how many segments a rank sends before it waits for one, if it waits for credits: half a window, so that
     * credits return before they are needed.
     *
     * @return number of segments, at least 1.
     */
    public int halfWindow()
    {
        return halfWindow(window);
    }

    /**
     * Returns how many segments a rank sends before it waits for one, if it waits for credits.
     *
     * @param window maximum number of segments in flight, at least 1.
     * @return half of them, at least 1.
     */
    public static int halfWindow(final int window)
    {
        return Math.max(1, window / 2);
    }

    /**
     * Returns how many segments a rank sends before it waits for one.
     *
     * @param segments number of segments that it sends to a peer, for which it waits for credits if there are more than
     *                 a window.
     * @return a window of segments, or half of one if it waits for credits.
     */
    public int ahead(final long segments)
    {
        return segments <= window ? window : halfWindow();
    }

    public boolean isRoot()
    {
        return rank == root;
    }

    private static void require(final boolean condition, final String name, final long value, final String range)
    {
        if (!condition)
        {
            throw new IllegalArgumentException(name + "=" + value + ": must be " + range);
        }
    }
}
