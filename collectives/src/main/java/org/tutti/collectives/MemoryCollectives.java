/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Collectives on unregistered memory, which is copied through registered staging buffers: as a whole up to 1 MiB and
 * where ranks do not know each other's counts ({@code gatherv}, {@code scatterv}, {@code alltoallv}), else segment by
 * segment.
 * <p>
 * Counts are in elements. A <i>block</i> is the part of a buffer that belongs to one rank; blocks are contiguous, in
 * rank order. Memory must have at least the stated length and be accessible to the calling thread (its own or shared);
 * memory that is written must not be read-only. Input and output must not overlap, except in place, where both are the
 * same memory, or one of them is this rank's block of the other.
 * <p>
 * All methods throw {@link IllegalArgumentException} if memory, counts or root are invalid, {@link
 * IllegalStateException} if the arena of a segment is closed, and {@link CollectiveException} if the call failed.
 */
public interface MemoryCollectives
{
    /**
     * Reduces the inputs of all ranks into the root's output.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements on the root; ignored on other ranks, where it may be null.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     * @param root   rank of the root.
     */
    void reduce(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op, int root);

    /**
     * Computes the inclusive prefix reduction: the inputs of ranks 0 to this one, combined in rank order.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     */
    void scan(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Computes the exclusive prefix reduction: the inputs of all ranks below this one, combined in rank order. Rank 0's
     * output is unchanged.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements.
     * @param count  number of elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     */
    void exscan(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Gathers the inputs of all ranks on every rank.
     *
     * @param input  {@code count} elements.
     * @param output {@code count * size} elements.
     * @param count  number of elements per rank.
     * @param type   type of the elements.
     */
    void allgather(MemorySegment input, MemorySegment output, long count, DataType type);

    /**
     * Gathers inputs of different lengths on every rank.
     *
     * @param input  input of {@code counts[rank]} elements.
     * @param output output of as many elements as the sum of the counts.
     * @param counts number of elements of each rank, the same on all ranks.
     * @param type   type of the elements.
     */
    void allgatherv(MemorySegment input, MemorySegment output, long[] counts, DataType type);

    /**
     * Reduces the inputs of all ranks and scatters the result in blocks of equal length.
     *
     * @param input  {@code count * size} elements.
     * @param output {@code count} elements.
     * @param count  number of elements per rank.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     */
    void reduceScatter(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Reduces the inputs of all ranks and scatters the result in blocks of different lengths.
     *
     * @param input  input of as many elements as the sum of the counts.
     * @param output output of {@code counts[rank]} elements.
     * @param counts number of elements of each rank, the same on all ranks.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     */
    void reduceScatter(MemorySegment input, MemorySegment output, long[] counts, DataType type, ReduceOp op);

    /**
     * Gathers the inputs of all ranks on the root.
     *
     * @param input  {@code count} elements.
     * @param output {@code count * size} elements on the root; ignored on other ranks, where it may be null.
     * @param count  number of elements per rank.
     * @param type   type of the elements.
     * @param root   rank of the root.
     */
    void gather(MemorySegment input, MemorySegment output, long count, DataType type, int root);

    /**
     * Gathers inputs of different lengths on the root.
     *
     * @param input  {@code count} elements.
     * @param count  number of elements of this rank.
     * @param output output of as many elements as the sum of the counts, on the root; ignored on other ranks.
     * @param counts number of elements of each rank, on the root; ignored on other ranks, where it may be null.
     * @param type   type of the elements.
     * @param root   rank of the root.
     */
    void gatherv(MemorySegment input, long count, MemorySegment output, long[] counts, DataType type, int root);

    /**
     * Scatters the root's input in blocks of equal length.
     *
     * @param input  {@code count * size} elements on the root; ignored on other ranks, where it may be null.
     * @param output {@code count} elements.
     * @param count  number of elements per rank.
     * @param type   type of the elements.
     * @param root   rank of the root.
     */
    void scatter(MemorySegment input, MemorySegment output, long count, DataType type, int root);

    /**
     * Scatters the root's input in blocks of different lengths.
     *
     * @param input  input of as many elements as the sum of the counts, on the root; ignored on other ranks.
     * @param counts number of elements of each rank, on the root; ignored on other ranks, where it may be null.
     * @param output {@code count} elements.
     * @param count  number of elements of this rank.
     * @param type   type of the elements.
     * @param root   rank of the root.
     */
    void scatterv(MemorySegment input, long[] counts, MemorySegment output, long count, DataType type, int root);

    /**
     * Sends one block of the input to each rank and receives one block from each.
     *
     * @param input  {@code count * size} elements.
     * @param output {@code count * size} elements.
     * @param count  number of elements sent from each rank to each rank.
     * @param type   type of the elements.
     */
    void alltoall(MemorySegment input, MemorySegment output, long count, DataType type);

    /**
     * Sends one block of the input to each rank and receives one block from each, of different lengths.
     *
     * @param input         input of as many elements as the sum of the send counts.
     * @param sendCounts    number of elements sent to each rank.
     * @param output        output of as many elements as the sum of the receive counts.
     * @param receiveCounts number of elements received from each rank, equal to what that rank sends.
     * @param type          type of the elements.
     */
    void alltoallv(
        MemorySegment input, long[] sendCounts, MemorySegment output, long[] receiveCounts, DataType type);
}
