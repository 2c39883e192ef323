/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Collectives on registered memory that are set up once, on this rank alone, and then started any number of times.
 * Arguments and errors are those of the blocking form of the name without Init. The requests are not started, and owned
 * by the caller; the buffers cannot be closed before they are, arrays of counts are the caller's again at once.
 */
public interface PersistentCollectives
{
    /**
     * An allreduce.
     *
     * @param input  read.
     * @param output output of the same type and count; may be the same buffer.
     * @param op     operation that combines the elements.
     * @return not started; owned by the caller.
     */
    PersistentRequest allreduceInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * An allreduce in place.
     *
     * @param buffer input and output.
     * @param op     operation that combines the elements.
     * @return not started; owned by the caller.
     */
    default PersistentRequest allreduceInit(final DataBuffer buffer, final ReduceOp op)
    {
        return allreduceInit(buffer, buffer, op);
    }

    /**
     * A broadcast.
     *
     * @param buffer read on the root, written on the others.
     * @param root   a rank.
     * @return not started; owned by the caller.
     */
    PersistentRequest broadcastInit(DataBuffer buffer, int root);

    /**
     * A barrier.
     *
     * @return not started; owned by the caller.
     */
    PersistentRequest barrierInit();

    /** A reduce: {@link Communicator#reduce(DataBuffer, DataBuffer, ReduceOp, int)}. */
    PersistentRequest reduceInit(DataBuffer input, DataBuffer output, ReduceOp op, int root);

    /** A scan: {@link Communicator#scan(DataBuffer, DataBuffer, ReduceOp)}. */
    PersistentRequest scanInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /** An exscan: {@link Communicator#exscan(DataBuffer, DataBuffer, ReduceOp)}. */
    PersistentRequest exscanInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /** An allgather: {@link BlockCollectives#allgather}. */
    PersistentRequest allgatherInit(DataBuffer input, DataBuffer output);

    /** An allgatherv: {@link BlockCollectives#allgatherv}. */
    PersistentRequest allgathervInit(DataBuffer input, DataBuffer output, long... counts);

    /** A reduce-scatter: {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, ReduceOp)}. */
    PersistentRequest reduceScatterInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * A reduce-scatter of blocks of different lengths:
     * {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, long[], ReduceOp)}.
     */
    PersistentRequest reduceScatterInit(DataBuffer input, DataBuffer output, long[] counts, ReduceOp op);

    /** A gather: {@link BlockCollectives#gather}. */
    PersistentRequest gatherInit(DataBuffer input, DataBuffer output, int root);

    /** A gatherv: {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[], int)}. */
    default PersistentRequest gathervInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final int root)
    {
        return gathervInit(input, output, counts, null, root);
    }

    /** A gatherv with displacements: {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[], long[], int)}. */
    PersistentRequest gathervInit(DataBuffer input, DataBuffer output, long[] counts, long[] displacements, int root);

    /** A scatter: {@link BlockCollectives#scatter}. */
    PersistentRequest scatterInit(DataBuffer input, DataBuffer output, int root);

    /** A scatterv: {@link BlockCollectives#scatterv(DataBuffer, long[], DataBuffer, int)}. */
    default PersistentRequest scattervInit(
        final DataBuffer input, final long[] counts, final DataBuffer output, final int root)
    {
        return scattervInit(input, counts, null, output, root);
    }

    /**
     * A scatterv with displacements: {@link BlockCollectives#scatterv(DataBuffer, long[], long[], DataBuffer, int)}.
     */
    PersistentRequest scattervInit(DataBuffer input, long[] counts, long[] displacements, DataBuffer output, int root);

    /** An alltoall: {@link BlockCollectives#alltoall}. */
    PersistentRequest alltoallInit(DataBuffer input, DataBuffer output);

    /** An alltoallv: {@link BlockCollectives#alltoallv(DataBuffer, long[], DataBuffer, long[])}. */
    default PersistentRequest alltoallvInit(
        final DataBuffer input, final long[] sendCounts, final DataBuffer output, final long[] receiveCounts)
    {
        return alltoallvInit(input, sendCounts, null, output, receiveCounts, null);
    }

    /**
     * An alltoallv with displacements:
     * {@link BlockCollectives#alltoallv(DataBuffer, long[], long[], DataBuffer, long[], long[])}.
     */
    PersistentRequest alltoallvInit(
        DataBuffer input, long[] sendCounts, long[] sendDisplacements, DataBuffer output, long[] receiveCounts,
        long[] receiveDisplacements);
}
