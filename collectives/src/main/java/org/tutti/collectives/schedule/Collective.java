/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.schedule;

/**
 * Collectives that have schedules, and the lengths of their buffers on each rank, in elements. A <i>block</i> is one
 * rank's share of a buffer that has a share for each rank.
 */
public enum Collective
{
    /** Every rank gets the reduction of all ranks' inputs. INPUT and OUTPUT have count elements. */
    ALLREDUCE(BufferLayout.BUFFERS),
    /** Every rank gets the root's buffer: OUTPUT, of count elements, in place on all ranks. */
    BROADCAST(BufferLayout.BUFFERS),
    /** No rank leaves before all ranks have entered. No elements. */
    BARRIER(BufferLayout.NONE),
    /** The root gets the reduction of all ranks' inputs. INPUT and, at the root, OUTPUT have count elements. */
    REDUCE(BufferLayout.BUFFERS),
    /** Every rank gets all ranks' inputs. INPUT is one block, OUTPUT has all blocks. */
    ALLGATHER(BufferLayout.GATHERED),
    /** Every rank gets its block of the reduction of all ranks' inputs. INPUT has all blocks, OUTPUT is one block. */
    REDUCE_SCATTER(BufferLayout.SCATTERED),
    /** The root gets all ranks' inputs. INPUT is one block; at the root, OUTPUT has all blocks. */
    GATHER(BufferLayout.GATHERED),
    /** Every rank gets its block of the root's input. At the root, INPUT has all blocks; OUTPUT is one block. */
    SCATTER(BufferLayout.SCATTERED),
    /** Every rank sends a block to every rank. INPUT and OUTPUT have a block per rank. */
    ALLTOALL(BufferLayout.EXCHANGED),
    /** Every rank gets the reduction, in rank order, of the inputs of ranks 0 to itself. */
    SCAN(BufferLayout.BUFFERS),
    /** As {@link #SCAN}, without the rank's own input; OUTPUT of rank 0 is not written. */
    EXSCAN(BufferLayout.BUFFERS),
    /** As {@link #GATHER}, with blocks of any length; ranks other than the root know only the length of their own. */
    GATHERV(BufferLayout.GATHERED),
    /** As {@link #SCATTER}, with blocks of any length; ranks other than the root know only the length of their own. */
    SCATTERV(BufferLayout.SCATTERED),
    /** As {@link #ALLTOALL}; each rank knows only the blocks that it sends and receives. */
    ALLTOALLV(BufferLayout.EXCHANGED);

    /** Relation of the buffers to blocks. */
    private enum BufferLayout
    {
        /** No buffers. */
        NONE,
        /** Both buffers have count elements. */
        BUFFERS,
        /** INPUT is this rank's block of OUTPUT. */
        GATHERED,
        /** OUTPUT is this rank's block of INPUT. */
        SCATTERED,
        /** Both buffers have a block per rank. */
        EXCHANGED
    }

    private final BufferLayout layout;

    Collective(final BufferLayout layout)
    {
        this.layout = layout;
    }

    /**
     * Returns the length of a rank's INPUT.
     *
     * @param request request of the rank.
     * @return number of elements; 0 if the rank has no INPUT.
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
     * Returns the length of a rank's OUTPUT.
     *
     * @param request request of the rank.
     * @return number of elements; 0 if the rank has no OUTPUT.
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
     * Whether a rank's INPUT and OUTPUT share memory: if the rank works in place and has both. Where one buffer is a
     * block of the other, they share that block.
     *
     * @param request request of the rank.
     * @return true if they share memory.
     */
    public boolean isShared(final ScheduleRequest request)
    {
        return this == BROADCAST || (request.inPlace() && (!hasRoot() || request.isRoot()));
    }

    /**
     * Returns where INPUT begins in the memory that the two buffers share, if they do.
     *
     * @param request request of the rank.
     * @return offset of this rank's block of OUTPUT, or 0.
     */
    public long inputStart(final ScheduleRequest request)
    {
        return gathers() ? ownBlock(request) : 0;
    }

    /**
     * Returns where OUTPUT begins in the memory that the two buffers share, if they do.
     *
     * @param request request of the rank.
     * @return offset of this rank's block of INPUT, or 0.
     */
    public long outputStart(final ScheduleRequest request)
    {
        return scatters() ? ownBlock(request) : 0;
    }

    /**
     * Whether no rank can end before all ranks have begun, for any algorithm, because every rank's output depends on
     * every rank's input. All ranks get the same answer.
     *
     * @param request request of any rank.
     * @return false if some rank may end earlier.
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
     * Returns the count by which the algorithm is selected: the length of the longer buffer of a rank that has both
     * INPUT and OUTPUT.
     *
     * @param request request of any rank.
     * @return number of elements, the same on all ranks; 0 if the ranks cannot know it.
     */
    public long selectionCount(final ScheduleRequest request)
    {
        return switch (layout)
        {
            case NONE -> 0;
            case BUFFERS -> request.count();
            case GATHERED, SCATTERED, EXCHANGED -> hasLocalCounts() ? 0 : request.blocks().total();
        };
    }

    /**
     * Whether no rank sends anything because there are no elements. All ranks get the same answer.
     *
     * @param request request of any rank.
     * @return true if no rank sends anything; false also if a rank cannot know it.
     */
    public boolean isEmpty(final ScheduleRequest request)
    {
        return layout != BufferLayout.NONE && !hasLocalCounts() && request.blocks().total() == 0;
    }

    /**
     * Whether a buffer has a block per rank, so that a count is the length of a block.
     *
     * @return false if a count is the length of a buffer.
     */
    public boolean hasBlocks()
    {
        return gathers() || scatters() || exchanges();
    }

    /**
     * Whether INPUT is this rank's block and OUTPUT has a block per rank.
     *
     * @return true for all allgathers and gathers.
     */
    public boolean gathers()
    {
        return layout == BufferLayout.GATHERED;
    }

    /**
     * Whether OUTPUT is this rank's block and INPUT has a block per rank.
     *
     * @return true for all scatters and reduce-scatters.
     */
    public boolean scatters()
    {
        return layout == BufferLayout.SCATTERED;
    }

    /**
     * Whether both INPUT and OUTPUT have a block per rank.
     *
     * @return true for all alltoalls.
     */
    public boolean exchanges()
    {
        return layout == BufferLayout.EXCHANGED;
    }

    /**
     * Whether an operation combines the ranks' inputs.
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
     * Whether each rank knows only its own blocks.
     *
     * @return false if all ranks know all blocks, or there are none.
     */
    public boolean hasLocalCounts()
    {
        return this == GATHERV || this == SCATTERV || this == ALLTOALLV;
    }

    /**
     * Whether blocks may differ in length, with lengths that all ranks know.
     *
     * @return false if all blocks have the same length, or each rank knows only its own.
     */
    public boolean hasGlobalCounts()
    {
        return this == ALLGATHER || this == REDUCE_SCATTER;
    }

    /**
     * Whether the collective has a root.
     *
     * @return false if all ranks have the same role.
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
        return hasLocalCounts() ? request.count() : request.blocks().length(request.rank());
    }

    private static long ownBlock(final ScheduleRequest request)
    {
        return request.blocks() == null ? 0 : request.blocks().offset(request.rank());
    }
}
