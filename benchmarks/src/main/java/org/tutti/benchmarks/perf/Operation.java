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

/** The operations that can be measured, and the traffic of each. */
public enum Operation
{
    /** Each constant is named after a collective, exchange or one-sided operation. */
    ALLREDUCE("Reduces all ranks' buffers into every rank's, out of place and in place.",
        "all_reduce", "osu_allreduce", "osu_iallreduce", "osu_allreduce_persistent"),
    BROADCAST("Copies the root's buffer to all ranks, in place.",
        "bcast", "osu_bcast", "osu_ibcast", "osu_bcast_persistent"),
    BARRIER("Waits for all ranks.", "osu_barrier", "osu_ibarrier", "osu_barrier_persistent"),
    REDUCE("Reduces all ranks' buffers into the root's.", "osu_reduce", "osu_ireduce", "osu_reduce_persistent"),
    ALLGATHER("Gathers all ranks' blocks on every rank; sizes are totals over all blocks.",
        "all_gather", "osu_allgather", "osu_iallgather", "osu_allgather_persistent"),
    REDUCE_SCATTER("Reduces all ranks' buffers, one block of the result for each rank; sizes are totals.",
        "osu_reduce_scatter_block", "osu_reduce_scatter_block_persistent"),
    GATHER("Gathers all ranks' blocks on the root; sizes are totals over all blocks.",
        "osu_gather", "osu_igather", "osu_gather_persistent"),
    SCATTER("Scatters the root's blocks to the ranks; sizes are totals over all blocks.",
        "osu_scatter", "osu_iscatter", "osu_scatter_persistent"),
    ALLTOALL("Sends a block from every rank to every rank; sizes are totals per rank.",
        "osu_alltoall", "osu_ialltoall", "osu_alltoall_persistent"),
    SCAN("Reduces, for each rank, the buffers of all ranks up to and including it.", "osu_scan"),
    EXSCAN("Reduces, for each rank, the buffers of all ranks before it.", "osu_exscan"),
    ALLGATHERV("Gathers blocks of the lengths set by --counts on every rank.",
        "osu_allgatherv", "osu_iallgatherv", "osu_allgatherv_persistent"),
    REDUCE_SCATTERV("Reduces all ranks' buffers, one block of the length set by --counts for each rank.",
        "osu_reduce_scatter", "osu_ireduce_scatter", "osu_reduce_scatter_persistent"),
    GATHERV("Gathers blocks of the lengths set by --counts on the root.",
        "osu_gatherv", "osu_igatherv", "osu_gatherv_persistent"),
    SCATTERV("Scatters the root's blocks, of the lengths set by --counts, to the ranks.",
        "osu_scatterv", "osu_iscatterv", "osu_scatterv_persistent"),
    ALLTOALLV("Sends a block of the length set by --counts from every rank to every rank.",
        "osu_alltoallv", "osu_ialltoallv", "osu_alltoallv_persistent"),
    SENDRECV("Sends each rank's buffer to the next and concurrently receives from the previous.", "send_recv"),
    PUT("Puts each rank's buffer into the memory of the next, which makes no call.", "osu_put_latency"),
    GET("Gets the next rank's buffer into each rank's memory; the target makes no call.", "osu_get_latency"),
    PUT_BW("Streams puts from each rank of the first half to one rank of the second half.", "osu_put_bw"),
    GET_BW("Streams gets from one rank of the second half to each rank of the first half.", "osu_get_bw");

    private final String description;
    /** Aliases separated by spaces; static analysis would report a {@code List} field of an enum as mutable. */
    private final String aliases;

    Operation(final String description, final String... aliases)
    {
        this.description = description;
        this.aliases = String.join(" ", aliases);
    }

    /**
     * The collectives that have algorithms to choose from. A collective with counts has only one algorithm, or uses
     * those of the collective with equal blocks.
     */
    static List<Operation> collectives()
    {
        return Stream.of(values())
            .filter(operation -> operation != SENDRECV && !operation.isOneSided() && !operation.hasCounts()).toList();
    }

    /**
     * The corresponding operation with equal blocks.
     *
     * @return the operation with equal blocks; this operation if it has no counts.
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
     * Whether the caller specifies the length of each block.
     *
     * @return true for {@code allgatherv} and the like.
     */
    public boolean hasCounts()
    {
        return even() != this;
    }

    /** Whether the operation needs a window. */
    boolean isOneSided()
    {
        return this == PUT || this == GET || isStream();
    }

    /** Whether half of the ranks make many concurrent calls and wait for all of them at once. */
    boolean isStream()
    {
        return this == PUT_BW || this == GET_BW;
    }

    /** Whether a one-sided operation writes to the window of its target; false if it reads from there. */
    boolean puts()
    {
        return this == PUT || this == PUT_BW;
    }

    /** Whether calls of the operation can be made in a mode. */
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
     * Factor from algorithm bandwidth to bus bandwidth. Bus bandwidth is comparable with the bandwidth of the hardware,
     * whatever the number of ranks: the factor is the number of bytes that a rank must receive per byte of the buffer,
     * {@code (n - 1) / n} in a reduce-scatter or an allgather of n ranks, and twice that in an allreduce, which does
     * both. Blocks of different lengths count as if they were equal.
     *
     * @param ranks number of ranks, at least 1.
     * @return bus bandwidth over algorithm bandwidth.
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
     * Whether sizes are totals over the blocks of all ranks.
     *
     * @return false if each rank has a whole buffer or none.
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
     * Whether the operation has an out-of-place form.
     *
     * @return true if input and output may be separate.
     */
    public boolean isOutOfPlace()
    {
        return this != BROADCAST;
    }

    /**
     * Whether the operation has an in-place form.
     *
     * @return true if input and output may be the same, or one may be a block of the other.
     */
    public boolean isInPlace()
    {
        return this != SENDRECV && !isOneSided();
    }

    /** Minimum number of ranks; send, put and get need two. */
    int minSize()
    {
        return this == SENDRECV || isOneSided() ? 2 : 1;
    }

    /** Whether the operation can run on a number of ranks: streams, which pair ranks, need an even number. */
    boolean fits(final int size)
    {
        return size >= minSize() && (!isStream() || size % 2 == 0);
    }

    /**
     * Whether the operation synchronizes all ranks: no rank completes before all ranks have entered, however short the
     * blocks are.
     */
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
     * Whether the operation reduces.
     *
     * @return false if it only moves data.
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
     * Whether the operation supports a reduction operation on a type. Scans have no average, because the number of
     * operands differs by rank, and no premultiplied sum. Operations that do not reduce support any reduction
     * operation.
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
     * Name of the operation on the command line.
     *
     * @return a name such as {@code reduce_scatter}.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Description for users. */
    String description()
    {
        return description;
    }

    /** Alternative names: those of nccl-tests, and those of OSU's benchmarks, which imply a mode. */
    String[] aliases()
    {
        return aliases.split(" ", -1);
    }
}
