/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Collectives on registered memory in which a buffer has a <i>block</i> for every rank. Blocks lie in the order of
 * ranks, one after the other unless displacements say where. They allocate nothing, once a call of the same shape was
 * made.
 */
public interface BlockCollectives
{
    /**
     * Gathers all ranks' inputs on every rank.
     *
     * @param input  read, never written.
     * @param output output of the same type, as many times as long as there are ranks: one block per rank, in their
     *               order. The input may be this rank's block of it (a {@link DataBuffer#slice}), but must not
     *               otherwise overlap.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap otherwise.
     * @throws CollectiveException      if it failed.
     */
    void allgather(DataBuffer input, DataBuffer output);

    /**
     * Gathers inputs of different lengths on every rank.
     *
     * @param input  input, as long as the counts say of this rank; may be its block of the output.
     * @param output output of the same type, at least as long as all together.
     * @param counts elements of each rank, the same on all ranks.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap otherwise.
     * @throws CollectiveException      if it failed.
     */
    void allgatherv(DataBuffer input, DataBuffer output, long... counts);

    /**
     * Reduces all ranks' inputs, and gives each rank a block of the result.
     *
     * @param input  input, as many times as long as the output as there are ranks: one block per rank, in their order.
     * @param output output of the same type; may be this rank's block of the input, but must not otherwise overlap.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap otherwise.
     * @throws CollectiveException      if it failed.
     */
    void reduceScatter(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Reduces all ranks' inputs, and gives each rank a block of the result, of different lengths.
     *
     * @param input  input, at least as long as all counts together.
     * @param output output of the same type, as long as the counts say of this rank; may be its block of the input.
     * @param counts elements of each rank, the same on all ranks.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap otherwise.
     * @throws CollectiveException      if it failed.
     */
    void reduceScatter(DataBuffer input, DataBuffer output, long[] counts, ReduceOp op);

    /**
     * Gathers all ranks' inputs on the root.
     *
     * @param input  read, never written; on the root it may be its block of the output.
     * @param output output on the root, as many times as long as there are ranks; not used on the others, where it may
     *               be null.
     * @param root   a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed.
     */
    void gather(DataBuffer input, DataBuffer output, int root);

    /**
     * Gathers inputs of different lengths on the root, one after the other.
     *
     * @param input  read, never written; on the root it may be its block of the output.
     * @param output output on the root, at least as long as all together; not used on the others.
     * @param counts counts on the root, elements of each rank; not used on the others, where it may be null.
     * @param root   a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed: also if a rank sends another count than the root expects.
     */
    default void gatherv(final DataBuffer input, final DataBuffer output, final long[] counts, final int root)
    {
        gatherv(input, output, counts, null, root);
    }

    /**
     * Gathers inputs of different lengths on the root, each where the root wants it.
     *
     * @param input         read, never written; on the root it may be its block of the output.
     * @param output        output on the root; not used on the others.
     * @param counts        counts on the root, elements of each rank; not used on the others.
     * @param displacements displacements on the root, first element of each rank in the output, whose blocks must not
     *                      overlap; null for one after the other.
     * @param root          a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed: also if a rank sends another count than the root expects.
     */
    void gatherv(DataBuffer input, DataBuffer output, long[] counts, long[] displacements, int root);

    /**
     * Gives each rank a block of the root's input.
     *
     * @param input  input on the root, as many times as long as the output as there are ranks; not used on the others,
     *               where it may be null.
     * @param output written; on the root it may be its block of the input.
     * @param root   a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed.
     */
    void scatter(DataBuffer input, DataBuffer output, int root);

    /**
     * Gives each rank a block of the root's input, of different lengths, one after the other.
     *
     * @param input  input on the root, at least as long as all together; not used on the others.
     * @param counts counts on the root, elements of each rank; not used on the others, where it may be null.
     * @param output written; on the root it may be its block of the input.
     * @param root   a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed: also if a rank expects another count than the root sends.
     */
    default void scatterv(final DataBuffer input, final long[] counts, final DataBuffer output, final int root)
    {
        scatterv(input, counts, null, output, root);
    }

    /**
     * Gives each rank a block of the root's input, of different lengths, each from where it is.
     *
     * @param input         input on the root; not used on the others.
     * @param counts        counts on the root, elements of each rank; not used on the others.
     * @param displacements displacements on the root, first element of each rank in the input; null for one after the
     *                      other.
     * @param output        written; on the root it may be its block of the input.
     * @param root          a rank.
     * @throws IllegalArgumentException if types or counts do not fit, the buffers overlap otherwise, or there is no
     *                                  such rank.
     * @throws CollectiveException      if it failed: also if a rank expects another count than the root sends.
     */
    void scatterv(DataBuffer input, long[] counts, long[] displacements, DataBuffer output, int root);

    /**
     * Sends every rank a block of the input, and gets one from each.
     *
     * @param input  one block per rank, all of one length.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap in part.
     * @throws CollectiveException      if it failed.
     */
    void alltoall(DataBuffer input, DataBuffer output);

    /**
     * Sends every rank a block of the input, and gets one from each, of different lengths, one after the other.
     *
     * @param input         input, at least as long as all that is sent.
     * @param sendCounts    elements to each rank.
     * @param output        output of the same type, at least as long as all that is received; may be the same buffer,
     *                      if as many elements come from each rank as go to it, but must not otherwise overlap.
     * @param receiveCounts elements from each rank: as many as that one sends.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap in part.
     * @throws CollectiveException      if it failed: also if a rank sends another count than this one expects.
     */
    default void alltoallv(
        final DataBuffer input, final long[] sendCounts, final DataBuffer output, final long[] receiveCounts)
    {
        alltoallv(input, sendCounts, null, output, receiveCounts, null);
    }

    /**
     * Sends every rank a block of the input, and gets one from each, of different lengths, wherever they are.
     *
     * @param input                input, at least as long as where the last block that is sent ends.
     * @param sendCounts           elements to each rank.
     * @param sendDisplacements    first element to each rank; null for one after the other.
     * @param output               output of the same type, at least as long as where the last block that is received
     *                             ends; may be the same buffer, if counts and displacements are the same.
     * @param receiveCounts        elements from each rank: as many as that one sends.
     * @param receiveDisplacements first element from each rank; null for one after the other. Blocks must not overlap.
     * @throws IllegalArgumentException if types or counts do not fit, or the buffers overlap in part.
     * @throws CollectiveException      if it failed: also if a rank sends another count than this one expects.
     */
    void alltoallv(
        DataBuffer input, long[] sendCounts, long[] sendDisplacements,
        DataBuffer output, long[] receiveCounts, long[] receiveDisplacements);
}
