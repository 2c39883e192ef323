/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.benchmarks.perf;

import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The collectives that can be measured, and the traffic that each one needs. */
public enum Operation
{
    /** Each is the collective, the exchange or the access of its name. */
    ALLREDUCE, BROADCAST, BARRIER, REDUCE, ALLGATHER, REDUCE_SCATTER, GATHER, SCATTER, ALLTOALL, SCAN, EXSCAN,
    ALLGATHERV, REDUCE_SCATTERV, GATHERV, SCATTERV, ALLTOALLV, SENDRECV, PUT, GET, PUT_BW, GET_BW;

    /**
     * Those that all ranks call together, and for which there are algorithms to choose from. With counts there is one
     * algorithm, or those of blocks of one length.
     */
    static List<Operation> collectives()
    {
        return Stream.of(values())
            .filter(operation -> operation != SENDRECV && !operation.isOneSided() && !operation.hasCounts()).toList();
    }

    /**
     * The one that does the same with blocks of one length.
     *
     * @return itself if it has no counts.
     */
    public Operation even()
    {
        return switch (this)
        {
            case ALLGATHERV -> ALLGATHER;
            case REDUCE_SCATTERV -> REDUCE_SCATTER;
            case GATHERV -> GATHER;
            case SCATTERV -> SCATTER;
            case ALLTOALLV -> ALLTOALL;
            default -> this;
        };
    }

    /**
     * Whether the caller says how long each block is.
     *
     * @return as in {@code allgatherv}.
     */
    public boolean hasCounts()
    {
        return even() != this;
    }

    /** Whether it needs a window. */
    boolean isOneSided()
    {
        return this == PUT || this == GET || isStream();
    }

    /** Whether many calls are made at once, by half of the ranks, and waited for together. */
    boolean isStream()
    {
        return this == PUT_BW || this == GET_BW;
    }

    /** Whether data comes into the window, not out of it. */
    boolean puts()
    {
        return this == PUT || this == PUT_BW;
    }

    /** Whether there is a form of it for a mode. */
    boolean has(final Mode mode)
    {
        return switch (this)
        {
            case PUT_BW, GET_BW -> mode == Mode.BLOCKING;
            case PUT, GET -> mode != Mode.PERSISTENT;
            default -> true;
        };
    }

    /**
     * What turns the bandwidth that a user sees into that of the hardware, whatever the number of ranks: each byte of
     * an allreduce must enter and leave every rank but for its own share, one of an allgather enter it once. Blocks of
     * different lengths count as if they were of one.
     *
     * @param ranks at least 1.
     * @return bus bandwidth by algorithm bandwidth.
     * @see <a href="https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md">nccl-tests</a>
     */
    public double busFactor(final int ranks)
    {
        return switch (this)
        {
            case ALLREDUCE -> 2.0 * (ranks - 1) / ranks;
            case ALLGATHER, REDUCE_SCATTER, GATHER, SCATTER, ALLTOALL,
                ALLGATHERV, REDUCE_SCATTERV, GATHERV, SCATTERV, ALLTOALLV -> (ranks - 1.0) / ranks;
            case BROADCAST, REDUCE, SCAN, EXSCAN, SENDRECV, PUT, GET, PUT_BW, GET_BW -> 1.0;
            case BARRIER -> 0.0;
        };
    }

    /**
     * Whether a size is that of blocks of all ranks together.
     *
     * @return false where each rank has a whole buffer, or none.
     */
    public boolean hasBlocks()
    {
        return switch (even())
        {
            case ALLGATHER, REDUCE_SCATTER, GATHER, SCATTER, ALLTOALL -> true;
            default -> false;
        };
    }

    /**
     * Whether its input and output are separate.
     *
     * @return whether there is such a form.
     */
    public boolean isOutOfPlace()
    {
        return this != BROADCAST;
    }

    /**
     * Whether its input and output may be the same, or one a block of the other.
     *
     * @return whether there is such a form.
     */
    public boolean isInPlace()
    {
        return this != SENDRECV && !isOneSided();
    }

    /** How many ranks it needs: a send, a put and a get are between two. */
    int minSize()
    {
        return this == SENDRECV || isOneSided() ? 2 : 1;
    }

    /** Whether it can be made by so many ranks: each of those that stream needs one of the other half. */
    boolean fits(final int size)
    {
        return size >= minSize() && (!isStream() || size % 2 == 0);
    }

    /** Whether no rank is done before all have begun, however short blocks are. */
    boolean waitsForAll()
    {
        return switch (this)
        {
            case ALLREDUCE, ALLGATHER, REDUCE_SCATTER, ALLTOALL, BARRIER -> true;
            case BROADCAST, REDUCE, GATHER, SCATTER, SCAN, EXSCAN, ALLGATHERV, REDUCE_SCATTERV, GATHERV, SCATTERV,
                ALLTOALLV, SENDRECV, PUT, GET, PUT_BW, GET_BW -> false;
        };
    }

    boolean hasRoot()
    {
        return switch (even())
        {
            case BROADCAST, REDUCE, GATHER, SCATTER -> true;
            default -> false;
        };
    }

    /**
     * Whether it computes.
     *
     * @return false if data only moves.
     */
    public boolean reduces()
    {
        return switch (even())
        {
            case ALLREDUCE, REDUCE, REDUCE_SCATTER, SCAN, EXSCAN -> true;
            default -> false;
        };
    }

    /**
     * Whether it is computed with an operation on a type. A scan has no average, because it has another number of
     * inputs on each rank, and multiplies no inputs. What reduces nothing does not look at the operation.
     */
    boolean takes(final ReduceOp op, final DataType type)
    {
        return !reduces() || (PerfConfig.isDefined(op, type) && switch (op.kind())
        {
            case AVG, PREMUL_SUM -> this != SCAN && this != EXSCAN;
            default -> true;
        });
    }

    /**
     * Its name on the command line.
     *
     * @return such as {@code reduce_scatter}.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
