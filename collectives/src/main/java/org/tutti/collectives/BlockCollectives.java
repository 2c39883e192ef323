/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

/**
 * Collectives on registered memory whose buffers have a <i>block</i> for each rank. Blocks are in rank order,
 * contiguous unless displacements are given. Calls allocate nothing after the first call of the same shape.
 */
public interface BlockCollectives
{
    /**
     * Gathers the inputs of all ranks on every rank.
     *
     * @param input  input buffer, not modified.
     * @param output output of the same type, {@code size} times as long as the input: one block per rank, in rank
     *               order. The input may be this rank's block of the output (a {@link DataBuffer#slice}), but must not
     *               overlap the output in any other way.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap in any other way.
     * @throws CollectiveException      if the call failed.
     */
    void allgather(DataBuffer input, DataBuffer output);

    /**
     * Gathers inputs of different lengths on every rank.
     *
     * @param input  input of {@code counts[rank]} elements; may be this rank's block of the output.
     * @param output output of the same type, with at least as many elements as the sum of the counts.
     * @param counts number of elements of each rank, the same on all ranks.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap in any other way.
     * @throws CollectiveException      if the call failed.
     */
    void allgatherv(DataBuffer input, DataBuffer output, long... counts);

    /**
     * Reduces the inputs of all ranks and scatters the result in blocks of equal length.
     *
     * @param input  input, {@code size} times as long as the output: one block per rank, in rank order.
     * @param output output of the same type; may be this rank's block of the input, but must not otherwise overlap.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap in any other way.
     * @throws CollectiveException      if the call failed.
     */
    void reduceScatter(DataBuffer input, DataBuffer output, ReduceOp op);

    /**
     * Reduces the inputs of all ranks and scatters the result in blocks of different lengths.
     *
     * @param input  input of at least as many elements as the sum of the counts.
     * @param output output of the same type, {@code counts[rank]} elements; may be this rank's block of the input.
     * @param counts number of elements of each rank, the same on all ranks.
     * @param op     operation that combines the elements.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap in any other way.
     * @throws CollectiveException      if the call failed.
     */
    void reduceScatter(DataBuffer input, DataBuffer output, long[] counts, ReduceOp op);

    /**
     * Gathers the inputs of all ranks on the root.
     *
     * @param input  input buffer, not modified; on the root it may be the root's block of the output.
     * @param output output on the root, {@code size} times as long as the input; ignored on other ranks, where it may
     *               be null.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed.
     */
    void gather(DataBuffer input, DataBuffer output, int root);

    /**
     * Gathers inputs of different lengths on the root, in contiguous blocks.
     *
     * @param input  input buffer, not modified; on the root it may be the root's block of the output.
     * @param output output on the root, with at least as many elements as the sum of the counts; ignored on other
     *               ranks.
     * @param counts number of elements of each rank, on the root; ignored on other ranks, where it may be null.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed, or a rank sends a different count than the root expects.
     */
    default void gatherv(final DataBuffer input, final DataBuffer output, final long[] counts, final int root)
    {
        gatherv(input, output, counts, null, root);
    }

    /**
     * Gathers inputs of different lengths on the root, at given displacements.
     *
     * @param input         input buffer, not modified; on the root it may be the root's block of the output.
     * @param output        output on the root; ignored on other ranks.
     * @param counts        number of elements of each rank, on the root; ignored on other ranks.
     * @param displacements first element of each rank's block in the output, on the root; blocks must not overlap; null
     *                      for contiguous blocks.
     * @param root          rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed, or a rank sends a different count than the root expects.
     */
    void gatherv(DataBuffer input, DataBuffer output, long[] counts, long[] displacements, int root);

    /**
     * Scatters the root's input in blocks of equal length.
     *
     * @param input  input on the root, {@code size} times as long as the output; ignored on other ranks, where it may
     *               be null.
     * @param output output buffer; on the root it may be the root's block of the input.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed.
     */
    void scatter(DataBuffer input, DataBuffer output, int root);

    /**
     * Scatters the root's input in contiguous blocks of different lengths.
     *
     * @param input  input on the root, with at least as many elements as the sum of the counts; ignored on other ranks.
     * @param counts number of elements of each rank, on the root; ignored on other ranks, where it may be null.
     * @param output output buffer; on the root it may be the root's block of the input.
     * @param root   rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed, or a rank expects a different count than the root sends.
     */
    default void scatterv(final DataBuffer input, final long[] counts, final DataBuffer output, final int root)
    {
        scatterv(input, counts, null, output, root);
    }

    /**
     * Scatters the root's input in blocks of different lengths, at given displacements.
     *
     * @param input         input on the root; ignored on other ranks.
     * @param counts        number of elements of each rank, on the root; ignored on other ranks.
     * @param displacements first element of each rank's block in the input, on the root; null for contiguous blocks.
     * @param output        output buffer; on the root it may be the root's block of the input.
     * @param root          rank of the root.
     * @throws IllegalArgumentException if types or counts do not match, the buffers overlap in any other way, or the
     *                                  root is not a rank.
     * @throws CollectiveException      if the call failed, or a rank expects a different count than the root sends.
     */
    void scatterv(DataBuffer input, long[] counts, long[] displacements, DataBuffer output, int root);

    /**
     * Sends one block of the input to each rank and receives one block from each.
     *
     * @param input  one block per rank, all of equal length.
     * @param output output of the same type and count; may be the same buffer, but must not otherwise overlap.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap partially.
     * @throws CollectiveException      if the call failed.
     */
    void alltoall(DataBuffer input, DataBuffer output);

    /**
     * Sends one block of the input to each rank and receives one block from each, in contiguous blocks of different
     * lengths.
     *
     * @param input         input of at least as many elements as the sum of the send counts.
     * @param sendCounts    number of elements sent to each rank.
     * @param output        output of the same type, with at least as many elements as the sum of the receive counts;
     *                      may be the same buffer if the send and receive counts are equal for each rank, but must not
     *                      otherwise overlap.
     * @param receiveCounts number of elements received from each rank, equal to what that rank sends.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap partially.
     * @throws CollectiveException      if the call failed, or a rank sends a different count than this rank expects.
     */
    default void alltoallv(
        final DataBuffer input, final long[] sendCounts, final DataBuffer output, final long[] receiveCounts)
    {
        alltoallv(input, sendCounts, null, output, receiveCounts, null);
    }

    /**
     * Sends one block of the input to each rank and receives one block from each, of different lengths and at given
     * displacements.
     *
     * @param input                input that contains all blocks to send.
     * @param sendCounts           number of elements sent to each rank.
     * @param sendDisplacements    first element of the block for each rank; null for contiguous blocks.
     * @param output               output of the same type that contains all blocks to receive; may be the same buffer
     *                             if counts and displacements are the same.
     * @param receiveCounts        number of elements received from each rank, equal to what that rank sends.
     * @param receiveDisplacements first element of the block from each rank; blocks must not overlap; null for
     *                             contiguous blocks.
     * @throws IllegalArgumentException if types or counts do not match, or the buffers overlap partially.
     * @throws CollectiveException      if the call failed, or a rank sends a different count than this rank expects.
     */
    void alltoallv(
        DataBuffer input, long[] sendCounts, long[] sendDisplacements,
        DataBuffer output, long[] receiveCounts, long[] receiveDisplacements);
}
