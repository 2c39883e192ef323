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
    ALLREDUCE,
    /** Every rank ends with the root's buffer: OUTPUT, of count elements, in place on all ranks. */
    BROADCAST,
    /** No rank leaves before all have entered. No elements. */
    BARRIER,
    /** The root ends with the reduction of all ranks' inputs. INPUT has count elements, OUTPUT too, at the root. */
    REDUCE,
    /** Every rank ends with all ranks' inputs: INPUT is a block, OUTPUT all of them. */
    ALLGATHER,
    /** Every rank ends with its block of the reduction of all ranks' inputs: INPUT has all blocks, OUTPUT is one. */
    REDUCE_SCATTER,
    /** The root ends with all ranks' inputs: INPUT is a block, OUTPUT all of them, at the root. */
    GATHER,
    /** Every rank ends with its block of the root's input: INPUT has all blocks, at the root, OUTPUT is one. */
    SCATTER,
    /** Every rank sends every rank a block: both INPUT and OUTPUT have one per rank. */
    ALLTOALL,
    /** Every rank ends with the reduction, in the order of ranks, of the inputs of all up to itself. */
    SCAN,
    /** The same without itself; rank 0's OUTPUT is not touched. */
    EXSCAN,
    /** {@link #GATHER} of blocks whose lengths only the root knows. */
    GATHERV,
    /** {@link #SCATTER} of blocks whose lengths only the root knows. */
    SCATTERV,
    /** {@link #ALLTOALL} of blocks of which a rank knows those that it sends and those that it receives. */
    ALLTOALLV;

    /**
     * How long a rank's INPUT is.
     *
     * @param request of the rank.
     * @return elements; 0 where there is none.
     */
    public long inputCount(final ScheduleRequest request)
    {
        return switch (this)
        {
            case ALLREDUCE, BROADCAST, REDUCE, SCAN, EXSCAN -> request.count();
            case BARRIER -> 0;
            case ALLGATHER, GATHER -> request.blocks().length(request.rank());
            case GATHERV -> request.count();
            case REDUCE_SCATTER, ALLTOALL, ALLTOALLV -> request.blocks().extent();
            case SCATTER, SCATTERV -> request.isRoot() ? request.blocks().extent() : 0;
        };
    }

    /**
     * How long a rank's OUTPUT is.
     *
     * @param request of the rank.
     * @return elements; 0 where there is none.
     */
    public long outputCount(final ScheduleRequest request)
    {
        return switch (this)
        {
            case ALLREDUCE, BROADCAST, SCAN, EXSCAN -> request.count();
            case BARRIER -> 0;
            case REDUCE -> request.isRoot() ? request.count() : 0;
            case ALLGATHER, ALLTOALL, ALLTOALLV -> request.received().extent();
            case GATHER, GATHERV -> request.isRoot() ? request.blocks().extent() : 0;
            case REDUCE_SCATTER, SCATTER -> request.blocks().length(request.rank());
            case SCATTERV -> request.count();
        };
    }

    /**
     * Whether a rank's INPUT and OUTPUT share memory: on ranks that work in place and have both. Where one is a block
     * of the other, they share that.
     *
     * @param request of the rank.
     * @return true if so.
     */
    public boolean isShared(final ScheduleRequest request)
    {
        return switch (this)
        {
            case BROADCAST -> true;
            case REDUCE, GATHER, SCATTER, GATHERV, SCATTERV -> request.inPlace() && request.isRoot();
            default -> request.inPlace();
        };
    }

    /**
     * Where INPUT begins in the memory that both buffers are in, if they share some.
     *
     * @param request of the rank.
     * @return this rank's block of OUTPUT, or 0.
     */
    public long inputStart(final ScheduleRequest request)
    {
        return switch (this)
        {
            case ALLGATHER, GATHER, GATHERV -> ownBlock(request);
            default -> 0;
        };
    }

    /**
     * Where OUTPUT begins in the memory that both buffers are in, if they share some.
     *
     * @param request of the rank.
     * @return this rank's block of INPUT, or 0.
     */
    public long outputStart(final ScheduleRequest request)
    {
        return switch (this)
        {
            case REDUCE_SCATTER, SCATTER, SCATTERV -> ownBlock(request);
            default -> 0;
        };
    }

    /**
     * Whether no rank can end before all have begun, whatever the algorithm: every rank's output depends on every
     * rank's input. All ranks say the same.
     *
     * @param request of any rank.
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
     * @param request of any rank.
     * @return elements, the same on all ranks; 0 where they cannot know it.
     */
    public long agreedCount(final ScheduleRequest request)
    {
        return switch (this)
        {
            case ALLREDUCE, BROADCAST, REDUCE, SCAN, EXSCAN -> request.count();
            case ALLGATHER, REDUCE_SCATTER, GATHER, SCATTER, ALLTOALL -> request.blocks().total();
            case BARRIER, GATHERV, SCATTERV, ALLTOALLV -> 0;
        };
    }

    /**
     * Whether no rank sends anything, because there are no elements. All ranks say the same.
     *
     * @param request of any rank.
     * @return true if so; false where a rank cannot know it.
     */
    public boolean isEmpty(final ScheduleRequest request)
    {
        return switch (this)
        {
            case BARRIER, GATHERV, SCATTERV, ALLTOALLV -> false;
            default -> request.blocks().total() == 0;
        };
    }

    /**
     * Whether a buffer has a block per rank, and a count is that of one.
     *
     * @return false if counts are those of buffers.
     */
    public boolean hasBlocks()
    {
        return switch (this)
        {
            case ALLREDUCE, BROADCAST, BARRIER, REDUCE, SCAN, EXSCAN -> false;
            default -> true;
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

    private static long ownBlock(final ScheduleRequest request)
    {
        return request.blocks() == null ? 0 : request.blocks().offset(request.rank());
    }
}
