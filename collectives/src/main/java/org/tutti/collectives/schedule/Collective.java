/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * The collectives there are schedules for, and how much memory each has on each rank. A <i>block</i> is what belongs to
 * one rank in a buffer that has some for each. All lengths are in elements.
 */
public enum Collective
{
    /** Every rank ends with the reduction of all ranks' inputs. INPUT and OUTPUT have count elements. */
    ALLREDUCE(Layout.BUFFERS),
    /** Every rank ends with the root's buffer: OUTPUT, of count elements, in place on all ranks. */
    BROADCAST(Layout.BUFFERS),
    /** No rank leaves before all have entered. No elements. */
    BARRIER(Layout.NONE),
    /** The root ends with the reduction of all ranks' inputs. INPUT has count elements, OUTPUT too, at the root. */
    REDUCE(Layout.BUFFERS),
    /** Every rank ends with all ranks' inputs: INPUT is a block, OUTPUT all of them. */
    ALLGATHER(Layout.GATHERED),
    /** Every rank ends with its block of the reduction of all ranks' inputs: INPUT has all blocks, OUTPUT is one. */
    REDUCE_SCATTER(Layout.SCATTERED),
    /** The root ends with all ranks' inputs: INPUT is a block, OUTPUT all of them, at the root. */
    GATHER(Layout.GATHERED),
    /** Every rank ends with its block of the root's input: INPUT has all blocks, at the root, OUTPUT is one. */
    SCATTER(Layout.SCATTERED),
    /** Every rank sends every rank a block: both INPUT and OUTPUT have one per rank. */
    ALLTOALL(Layout.EXCHANGED),
    /** Every rank ends with the reduction, in the order of ranks, of the inputs of all up to itself. */
    SCAN(Layout.BUFFERS),
    /** The same without itself; rank 0's OUTPUT is not touched. */
    EXSCAN(Layout.BUFFERS),
    /** {@link #GATHER} of blocks whose lengths only the root knows. */
    GATHERV(Layout.GATHERED),
    /** {@link #SCATTER} of blocks whose lengths only the root knows. */
    SCATTERV(Layout.SCATTERED),
    /** {@link #ALLTOALL} of blocks of which a rank knows those that it sends and those that it receives. */
    ALLTOALLV(Layout.EXCHANGED);

    /** What buffers consist of. */
    private enum Layout
    {
        /** There are none. */
        NONE,
        /** Both are of count elements. */
        BUFFERS,
        /** INPUT is this rank's block of OUTPUT. */
        GATHERED,
        /** OUTPUT is this rank's block of INPUT. */
        SCATTERED,
        /** Both have a block for each rank. */
        EXCHANGED
    }

    private final Layout layout;

    Collective(final Layout layout)
    {
        this.layout = layout;
    }

    /**
     * How long a rank's INPUT is.
     *
     * @param request request of the rank.
     * @return elements; 0 where there is none.
     */
    public long inputCount(final ScheduleRequest request)
    {
        return switch (layout)
        {
            case NONE -> 0;
            case BUFFERS -> request.count();
            case GATHERED -> ownCount(request);
            case SCATTERED -> hasRoot() && !request.isRoot() ? 0 : request.blocks().extent();
            case EXCHANGED -> request.blocks().extent();
        };
    }

    /**
     * How long a rank's OUTPUT is.
     *
     * @param request request of the rank.
     * @return elements; 0 where there is none.
     */
    public long outputCount(final ScheduleRequest request)
    {
        return switch (layout)
        {
            case NONE -> 0;
            case BUFFERS -> this == REDUCE && !request.isRoot() ? 0 : request.count();
            case GATHERED -> hasRoot() && !request.isRoot() ? 0 : request.received().extent();
            case SCATTERED -> ownCount(request);
            case EXCHANGED -> request.received().extent();
        };
    }

    /**
     * Whether a rank's INPUT and OUTPUT share memory: on ranks that work in place and have both. Where one is a block
     * of the other, they share that.
     *
     * @param request request of the rank.
     * @return true if so.
     */
    public boolean isShared(final ScheduleRequest request)
    {
        return this == BROADCAST || (request.inPlace() && (!hasRoot() || request.isRoot()));
    }

    /**
     * Where INPUT begins in the memory that both buffers are in, if they share some.
     *
     * @param request request of the rank.
     * @return this rank's block of OUTPUT, or 0.
     */
    public long inputStart(final ScheduleRequest request)
    {
        return gathers() ? ownBlock(request) : 0;
    }

    /**
     * Where OUTPUT begins in the memory that both buffers are in, if they share some.
     *
     * @param request request of the rank.
     * @return this rank's block of INPUT, or 0.
     */
    public long outputStart(final ScheduleRequest request)
    {
        return scatters() ? ownBlock(request) : 0;
    }

    /**
     * Whether no rank can end before all have begun, whatever the algorithm: every rank's output depends on every
     * rank's input. All ranks say the same.
     *
     * @param request request of any rank.
     * @return false if some may.
     */
    public boolean synchronizes(final ScheduleRequest request)
    {
        return request.size() == 1 || switch (this)
        {
            case BARRIER -> true;
            case ALLREDUCE, ALLTOALL -> request.count() > 0;
            case ALLGATHER, REDUCE_SCATTER -> request.blocks().shortest() > 0;
            default -> false;
        };
    }

    /**
     * By how much data the algorithm is chosen: what is in the longer of the two buffers of a rank that has both.
     *
     * @param request request of any rank.
     * @return elements, the same on all ranks; 0 where they cannot know it.
     */
    public long agreedCount(final ScheduleRequest request)
    {
        return switch (layout)
        {
            case NONE -> 0;
            case BUFFERS -> request.count();
            case GATHERED, SCATTERED, EXCHANGED -> hasOwnBlocks() ? 0 : request.blocks().total();
        };
    }

    /**
     * Whether no rank sends anything, because there are no elements. All ranks say the same.
     *
     * @param request request of any rank.
     * @return true if so; false where a rank cannot know it.
     */
    public boolean isEmpty(final ScheduleRequest request)
    {
        return layout != Layout.NONE && !hasOwnBlocks() && request.blocks().total() == 0;
    }

    /**
     * Whether a buffer has a block per rank, and a count is that of one.
     *
     * @return false if counts are those of buffers.
     */
    public boolean hasBlocks()
    {
        return gathers() || scatters() || exchanges();
    }

    /**
     * Whether INPUT is one block, this rank's, and OUTPUT has one per rank.
     *
     * @return true for all allgathers and gathers.
     */
    public boolean gathers()
    {
        return layout == Layout.GATHERED;
    }

    /**
     * Whether OUTPUT is one block, this rank's, and INPUT has one per rank.
     *
     * @return true for all scatters and reduce-scatters.
     */
    public boolean scatters()
    {
        return layout == Layout.SCATTERED;
    }

    /**
     * Whether both INPUT and OUTPUT have a block per rank.
     *
     * @return true for all alltoalls.
     */
    public boolean exchanges()
    {
        return layout == Layout.EXCHANGED;
    }

    /**
     * Whether ranks' inputs are combined by an operation.
     *
     * @return false if elements are only moved, or there are none.
     */
    public boolean reduces()
    {
        return switch (this)
        {
            case ALLREDUCE, REDUCE, REDUCE_SCATTER, SCAN, EXSCAN -> true;
            default -> false;
        };
    }

    /**
     * Whether each rank knows its own blocks only.
     *
     * @return false if all ranks know all blocks, or there are none.
     */
    public boolean hasOwnBlocks()
    {
        return this == GATHERV || this == SCATTERV || this == ALLTOALLV;
    }

    /**
     * Whether blocks may have different lengths, which all ranks know.
     *
     * @return false if they have one, or each rank knows its own only.
     */
    public boolean hasCounts()
    {
        return this == ALLGATHER || this == REDUCE_SCATTER;
    }

    /**
     * Whether there is a root.
     *
     * @return false if all ranks do the same.
     */
    public boolean hasRoot()
    {
        return switch (this)
        {
            case BROADCAST, REDUCE, GATHER, SCATTER, GATHERV, SCATTERV -> true;
            default -> false;
        };
    }

    private long ownCount(final ScheduleRequest request)
    {
        return hasOwnBlocks() ? request.count() : request.blocks().length(request.rank());
    }

    private static long ownBlock(final ScheduleRequest request)
    {
        return request.blocks() == null ? 0 : request.blocks().offset(request.rank());
    }
}
