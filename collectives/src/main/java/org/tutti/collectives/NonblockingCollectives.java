/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Nonblocking collectives on registered memory, which return a {@link Request} at once. Arguments and errors are those
 * of the blocking method of the same name without the {@code i}. Until a request is done, its input must not be
 * written, and its output neither read nor written: a call with a buffer that overlaps one of them throws an {@link
 * IllegalArgumentException}, unless both only read the memory. Arrays of counts may be reused at once.
 */
public interface NonblockingCollectives
{
    /**
     * Starts an allreduce.
     *
     * @param input  input buffer; must not be written until the request is done.
     * @param output output buffer; must be neither read nor written until the request is done.
     * @param op     operation that combines the elements.
     * @return the request.
     */
    Request iallreduce(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Starts an in-place allreduce.
     *
     * @param buffer input and output; must be neither read nor written until the request is done.
     * @param op     operation that combines the elements.
     * @return the request.
     */
    default Request iallreduce(final DataBuffer buffer, final ReduceOp op)
    {
        return iallreduce(buffer, buffer, op);
    }

    /**
     * Starts a broadcast.
     *
     * @param buffer buffer to broadcast; until the request is done, it must not be written, and on ranks other than the
     *               root it must not be read either.
     * @param root   rank of the root.
     * @return the request.
     */
    Request ibroadcast(DataBuffer buffer, int root);

    /**
     * Starts a barrier.
     *
     * @return a request that is done when all ranks have started theirs.
     */
    Request ibarrier();

    /** Starts a reduce: {@link Communicator#reduce(DataBuffer, DataBuffer, ReduceOp, int)}. */
    Request ireduce(DataBuffer input, DataBuffer output, ReduceOp op, int root);

    /** Starts a scan: {@link Communicator#scan(DataBuffer, DataBuffer, ReduceOp)}. */
    Request iscan(DataBuffer input, DataBuffer output, ReduceOp op);

    /** Starts an exscan: {@link Communicator#exscan(DataBuffer, DataBuffer, ReduceOp)}. */
    Request iexscan(DataBuffer input, DataBuffer output, ReduceOp op);

    /** Starts an allgather: {@link BlockCollectives#allgather}. */
    Request iallgather(DataBuffer input, DataBuffer output);

    /** Starts an allgatherv: {@link BlockCollectives#allgatherv}. */
    Request iallgatherv(DataBuffer input, DataBuffer output, long... counts);

    /** Starts a reduce-scatter: {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, ReduceOp)}. */
    Request ireduceScatter(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Starts a reduce-scatter of blocks of different lengths:
     * {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, long[], ReduceOp)}.
     */
    Request ireduceScatter(DataBuffer input, DataBuffer output, long[] counts, ReduceOp op);

    /** Starts a gather: {@link BlockCollectives#gather}. */
    Request igather(DataBuffer input, DataBuffer output, int root);

    /** Starts a gatherv: {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[], int)}. */
    default Request igatherv(final DataBuffer input, final DataBuffer output, final long[] counts, final int root)
    {
        return igatherv(input, output, counts, null, root);
    }

    /**
     * Starts a gatherv with displacements:
     * {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[], long[], int)}.
     */
    Request igatherv(DataBuffer input, DataBuffer output, long[] counts, long[] displacements, int root);

    /** Starts a scatter: {@link BlockCollectives#scatter}. */
    Request iscatter(DataBuffer input, DataBuffer output, int root);

    /** Starts a scatterv: {@link BlockCollectives#scatterv(DataBuffer, long[], DataBuffer, int)}. */
    default Request iscatterv(final DataBuffer input, final long[] counts, final DataBuffer output, final int root)
    {
        return iscatterv(input, counts, null, output, root);
    }

    /**
     * Starts a scatterv with displacements:
     * {@link BlockCollectives#scatterv(DataBuffer, long[], long[], DataBuffer, int)}.
     */
    Request iscatterv(DataBuffer input, long[] counts, long[] displacements, DataBuffer output, int root);

    /** Starts an alltoall: {@link BlockCollectives#alltoall}. */
    Request ialltoall(DataBuffer input, DataBuffer output);

    /** Starts an alltoallv: {@link BlockCollectives#alltoallv(DataBuffer, long[], DataBuffer, long[])}. */
    default Request ialltoallv(
        final DataBuffer input, final long[] sendCounts, final DataBuffer output, final long[] receiveCounts)
    {
        return ialltoallv(input, sendCounts, null, output, receiveCounts, null);
    }

    /**
     * Starts an alltoallv with displacements:
     * {@link BlockCollectives#alltoallv(DataBuffer, long[], long[], DataBuffer, long[], long[])}.
     */
    Request ialltoallv(
        DataBuffer input, long[] sendCounts, long[] sendDisplacements, DataBuffer output, long[] receiveCounts,
        long[] receiveDisplacements);
}
