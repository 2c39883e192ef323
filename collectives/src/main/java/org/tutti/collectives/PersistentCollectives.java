/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Persistent collectives on registered memory: set up once, without communication, and started any number of times.
 * Arguments and errors are those of the blocking method of the same name without {@code Init}. The returned requests
 * are inactive and owned by the caller. The buffers cannot be closed before the request; arrays of counts may be reused
 * at once.
 */
public interface PersistentCollectives
{
    /**
     * Creates a persistent allreduce.
     *
     * @param input  input buffer.
     * @param output output of the same type and count; may be the same buffer.
     * @param op     operation that combines the elements.
     * @return an inactive request, owned by the caller.
     */
    PersistentRequest allreduceInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Creates a persistent in-place allreduce.
     *
     * @param buffer input and output.
     * @param op     operation that combines the elements.
     * @return an inactive request, owned by the caller.
     */
    default PersistentRequest allreduceInit(final DataBuffer buffer, final ReduceOp op)
    {
        return allreduceInit(buffer, buffer, op);
    }

    /**
     * Creates a persistent broadcast.
     *
     * @param buffer read on the root, written on other ranks.
     * @param root   rank of the root.
     * @return an inactive request, owned by the caller.
     */
    PersistentRequest broadcastInit(DataBuffer buffer, int root);

    /**
     * Creates a persistent barrier.
     *
     * @return an inactive request, owned by the caller.
     */
    PersistentRequest barrierInit();

    /** Creates a persistent reduce: {@link Communicator#reduce(DataBuffer, DataBuffer, ReduceOp, int)}. */
    PersistentRequest reduceInit(DataBuffer input, DataBuffer output, ReduceOp op, int root);

    /** Creates a persistent scan: {@link Communicator#scan(DataBuffer, DataBuffer, ReduceOp)}. */
    PersistentRequest scanInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /** Creates a persistent exscan: {@link Communicator#exscan(DataBuffer, DataBuffer, ReduceOp)}. */
    PersistentRequest exscanInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /** Creates a persistent allgather: {@link BlockCollectives#allgather}. */
    PersistentRequest allgatherInit(DataBuffer input, DataBuffer output);

    /** Creates a persistent allgatherv: {@link BlockCollectives#allgatherv}. */
    PersistentRequest allgathervInit(DataBuffer input, DataBuffer output, long... counts);

    /**
     * Creates a persistent reduce-scatter: {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, ReduceOp)}.
     */
    PersistentRequest reduceScatterInit(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Creates a persistent reduce-scatter of blocks of different lengths:
     * {@link BlockCollectives#reduceScatter(DataBuffer, DataBuffer, long[], ReduceOp)}.
     */
    PersistentRequest reduceScatterInit(DataBuffer input, DataBuffer output, long[] counts, ReduceOp op);

    /** Creates a persistent gather: {@link BlockCollectives#gather}. */
    PersistentRequest gatherInit(DataBuffer input, DataBuffer output, int root);

    /** Creates a persistent gatherv: {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[], int)}. */
    default PersistentRequest gathervInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final int root)
    {
        return gathervInit(input, output, counts, null, root);
    }

    /**
     * Creates a persistent gatherv with displacements: {@link BlockCollectives#gatherv(DataBuffer, DataBuffer, long[],
     * long[], int)}.
     */
    PersistentRequest gathervInit(DataBuffer input, DataBuffer output, long[] counts, long[] displacements, int root);

    /** Creates a persistent scatter: {@link BlockCollectives#scatter}. */
    PersistentRequest scatterInit(DataBuffer input, DataBuffer output, int root);

    /** Creates a persistent scatterv: {@link BlockCollectives#scatterv(DataBuffer, long[], DataBuffer, int)}. */
    default PersistentRequest scattervInit(
        final DataBuffer input, final long[] counts, final DataBuffer output, final int root)
    {
        return scattervInit(input, counts, null, output, root);
    }

    /**
     * Creates a persistent scatterv with displacements: {@link BlockCollectives#scatterv(DataBuffer, long[], long[],
     * DataBuffer, int)}.
     */
    PersistentRequest scattervInit(DataBuffer input, long[] counts, long[] displacements, DataBuffer output, int root);

    /** Creates a persistent alltoall: {@link BlockCollectives#alltoall}. */
    PersistentRequest alltoallInit(DataBuffer input, DataBuffer output);

    /** Creates a persistent alltoallv: {@link BlockCollectives#alltoallv(DataBuffer, long[], DataBuffer, long[])}. */
    default PersistentRequest alltoallvInit(
        final DataBuffer input, final long[] sendCounts, final DataBuffer output, final long[] receiveCounts)
    {
        return alltoallvInit(input, sendCounts, null, output, receiveCounts, null);
    }

    /**
     * Creates a persistent alltoallv with displacements: {@link BlockCollectives#alltoallv(DataBuffer, long[], long[],
     * DataBuffer, long[], long[])}.
     */
    PersistentRequest alltoallvInit(
        DataBuffer input, long[] sendCounts, long[] sendDisplacements, DataBuffer output, long[] receiveCounts,
        long[] receiveDisplacements);
}
