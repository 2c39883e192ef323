/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

import org.tutti.collectives.pattern.Blocks;
import org.tutti.collectives.pattern.HostMap;

/**
 * What a schedule is made for. All ranks of a call use the same values but for the rank, whether it works in place, and
 * the blocks of those collectives of which a rank knows only its own (GATHERV, SCATTERV, ALLTOALLV).
 *
 * @param rank     the rank that the schedule is for.
 * @param size     number of ranks, at least 1.
 * @param count    elements, from 0: of the buffers (ALLREDUCE, BROADCAST, REDUCE, SCAN, EXSCAN), of this rank's block
 *                 (GATHERV, SCATTERV), or of the longest block.
 * @param root     the root, 0 for collectives that have none.
 * @param inPlace  whether INPUT and OUTPUT are the same memory, or one is this rank's block of the other.
 * @param segment  the most elements that one PUT carries, at least 1: the unit of pipelining.
 * @param window   the most segments under way from a rank to a peer on a channel: slots of SCRATCH, at least 1.
 * @param blocks   the blocks of whichever buffer has one per rank; of INPUT, if both have; null where the rank does not
 *                 know them.
 * @param received the blocks of OUTPUT, if both buffers have some (ALLTOALL, ALLTOALLV), else the same as blocks.
 * @param hosts    ranks that share a host.
 * @param eager    the most elements of a block, besides segment, that a rank sends to a peer's SCRATCH before it has
 *                 heard from that, by algorithms that {@linkplain Trait#USES_EAGER do so}; from 0, which is never.
 */
public record ScheduleRequest(
    int rank, int size, long count, int root, boolean inPlace, long segment, int window,
    Blocks blocks, Blocks received, HostMap hosts, long eager)
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
        require(blocks == null || blocks.number() == size, "blocks", blocks == null ? 0 : blocks.number(),
            "one per rank, " + size);
        require(received == null || received.number() == size, "blocks", received == null ? 0 : received.number(),
            "one per rank, " + size);
        require(eager >= 0, "eager", eager, "at least 0");
        require(hosts.size() == size, "hosts' ranks", hosts.size(), "as many as there are, " + size);
    }

    /**
     * With blocks of one length, on one host.
     *
     * @param rank    the rank that the schedule is for.
     * @param size    number of ranks, at least 1.
     * @param count   elements of the buffers, or of each block.
     * @param root    the root, or 0.
     * @param inPlace whether it works in place.
     * @param segment the most elements that one PUT carries.
     * @param window  the most segments under way.
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
     * The same for another rank.
     *
     * @param otherRank other rank, from 0 to size - 1.
     * @return a request that differs in the rank only.
     */
    public ScheduleRequest withRank(final int otherRank)
    {
        return new ScheduleRequest(
            otherRank, size, count, root, inPlace, segment, window, blocks, received, hosts, eager);
    }

    /**
     * The same, in place or not.
     *
     * @param otherInPlace whether it works in place, on this rank.
     * @return a request that differs in the placement only.
     */
    public ScheduleRequest withPlacement(final boolean otherInPlace)
    {
        return new ScheduleRequest(
            rank, size, count, root, otherInPlace, segment, window, blocks, received, hosts, eager);
    }

    /**
     * The same in other segments.
     *
     * @param otherSegment the most elements that one PUT carries.
     * @return a request that differs in the segment only.
     */
    public ScheduleRequest withSegment(final long otherSegment)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, otherSegment, window, blocks, received, hosts, eager);
    }

    /**
     * The same with blocks that all ranks know.
     *
     * @param otherBlocks one per rank.
     * @return a request that differs in the blocks, and of which the count is the longest.
     */
    public ScheduleRequest withBlocks(final Blocks otherBlocks)
    {
        return new ScheduleRequest(
            rank, size, otherBlocks.longest(), root, inPlace, segment, window, otherBlocks, hosts, eager);
    }

    /**
     * The same with this rank's own blocks: those that it sends, and those that it receives.
     *
     * @param sent          one per rank, in INPUT.
     * @param otherReceived one per rank, in OUTPUT.
     * @return a request that differs in the blocks, and has a count of 0.
     */
    public ScheduleRequest withBlocks(final Blocks sent, final Blocks otherReceived)
    {
        return new ScheduleRequest(rank, size, 0, root, inPlace, segment, window, sent, otherReceived, hosts, eager);
    }

    /**
     * The same with this rank's own block.
     *
     * @param otherCount  its length.
     * @param otherBlocks all ranks' blocks, or null if this rank is not the root, and does not know them.
     * @return a request that differs in the blocks and in the count.
     */
    public ScheduleRequest withOwnBlock(final long otherCount, final Blocks otherBlocks)
    {
        return new ScheduleRequest(rank, size, otherCount, root, inPlace, segment, window, otherBlocks, hosts, eager);
    }

    /**
     * The same on certain hosts.
     *
     * @param otherHosts hosts of the same number of ranks.
     * @return a request that differs in the hosts only.
     */
    public ScheduleRequest withHosts(final HostMap otherHosts)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, segment, window, blocks, received, otherHosts, eager);
    }

    /**
     * The same with blocks that are sent before the peer is heard of.
     *
     * @param otherEager maximum length of eager blocks, in elements, from 0.
     * @return a request that differs in that only.
     */
    public ScheduleRequest withEager(final long otherEager)
    {
        return new ScheduleRequest(
            rank, size, count, root, inPlace, segment, window, blocks, received, hosts, otherEager);
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
