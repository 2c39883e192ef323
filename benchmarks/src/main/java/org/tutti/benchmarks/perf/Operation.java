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
    ALLREDUCE("Reduces all ranks' buffers into every rank's, out of place and in place.",
        "all_reduce", "osu_allreduce", "osu_iallreduce", "osu_allreduce_persistent"),
    BROADCAST("Copies the root's buffer to all ranks, in place.",
        "bcast", "osu_bcast", "osu_ibcast", "osu_bcast_persistent"),
    BARRIER("Waits for all ranks.", "osu_barrier", "osu_ibarrier", "osu_barrier_persistent"),
    REDUCE("Reduces all ranks' buffers into the root's.", "osu_reduce", "osu_ireduce", "osu_reduce_persistent"),
    ALLGATHER("Gathers all ranks' blocks on every rank; sizes are those of all blocks.",
        "all_gather", "osu_allgather", "osu_iallgather", "osu_allgather_persistent"),
    REDUCE_SCATTER("Reduces all ranks' buffers, a block for each rank; sizes are those of all blocks.",
        "osu_reduce_scatter_block", "osu_reduce_scatter_block_persistent"),
    GATHER("Gathers all ranks' blocks on the root; sizes are those of all blocks.",
        "osu_gather", "osu_igather", "osu_gather_persistent"),
    SCATTER("Gives each rank a block of the root's; sizes are those of all blocks.",
        "osu_scatter", "osu_iscatter", "osu_scatter_persistent"),
    ALLTOALL("Sends a block from every rank to every rank; sizes are those of a rank's blocks.",
        "osu_alltoall", "osu_ialltoall", "osu_alltoall_persistent"),
    SCAN("Reduces the buffers of all ranks up to each.", "osu_scan"),
    EXSCAN("Reduces the buffers of all ranks before each.", "osu_exscan"),
    ALLGATHERV("Gathers blocks of the lengths that --counts says on every rank.",
        "osu_allgatherv", "osu_iallgatherv", "osu_allgatherv_persistent"),
    REDUCE_SCATTERV("Reduces all ranks' buffers, a block of the length that --counts says for each rank.",
        "osu_reduce_scatter", "osu_ireduce_scatter", "osu_reduce_scatter_persistent"),
    GATHERV("Gathers blocks of the lengths that --counts says on the root.",
        "osu_gatherv", "osu_igatherv", "osu_gatherv_persistent"),
    SCATTERV("Gives each rank a block of the root's, of the length that --counts says.",
        "osu_scatterv", "osu_iscatterv", "osu_scatterv_persistent"),
    ALLTOALLV("Sends a block of the length that --counts says from every rank to every rank.",
        "osu_alltoallv", "osu_ialltoallv", "osu_alltoallv_persistent"),
    SENDRECV("Sends each rank's buffer to the next, and receives that of the one before, at once.", "send_recv"),
    PUT("Puts each rank's buffer into the memory of the next, which calls nothing for it.", "osu_put_latency"),
    GET("Gets the buffer of the next rank, which calls nothing for it, into each rank's memory.", "osu_get_latency"),
    PUT_BW("Puts from each rank of the first half into the memory of one of the other, many at once.", "osu_put_bw"),
    GET_BW("Gets to each rank of the first half from the memory of one of the other, many at once.", "osu_get_bw");

    private final String description;
    /** With a space between them: a list would be mutable to tools that check enums. */
    private final String aliases;

    Operation(final String description, final String... aliases)
    {
        this.description = description;
        this.aliases = String.join(" ", aliases);
    }

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
     * @param ranks number of ranks, at least 1.
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

    /** What it does, for users. */
    String description()
    {
        return description;
    }

    /** Its other names: those of nccl-tests, and of OSU's benchmarks, which also say how it is called. */
    String[] aliases()
    {
        return aliases.split(" ", -1);
    }
}
