/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Collectives on memory that is not registered: staged through memory that is, piece by piece; what ranks do not know
 * of each other ({@code gatherv}, {@code scatterv}, {@code alltoallv}) all at once.
 * <p>
 * Counts are elements. A <i>block</i> is the part of a buffer that belongs to a rank; blocks lie in the order of ranks,
 * one after the other. Memory must be at least as long as is said, of this thread or shared, and what is written not
 * read-only. Input and output are separate, or in place: one and the same, or, where one of them is a block, that is
 * this rank's block of the other.
 * <p>
 * All throw {@link IllegalArgumentException} if memory, counts or root are not as they must be,
 * {@link IllegalStateException} if a segment's arena is closed, and {@link CollectiveException} if the call failed.
 */
public interface MemoryCollectives
{
    /**
     * Reduces all ranks' inputs into the root's output.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements, on the root; not used on the others, where it may be null.
     * @param count  elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     * @param root   a rank.
     */
    void reduce(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op, int root);

    /**
     * Reduces the inputs of all ranks up to this one, in the order of ranks.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements.
     * @param count  elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     */
    void scan(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Reduces the inputs of all ranks before this one, in the order of ranks. Rank 0's output is not touched.
     *
     * @param input  {@code count} elements.
     * @param output {@code count} elements.
     * @param count  elements.
     * @param type   type of the elements.
     * @param op     operation that combines the elements; neither AVG nor PREMUL_SUM.
     */
    void exscan(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Gathers all ranks' inputs on every rank.
     *
     * @param input  {@code count} elements.
     * @param output {@code count * size} elements.
     * @param count  elements of each rank.
     * @param type   type of the elements.
     */
    void allgather(MemorySegment input, MemorySegment output, long count, DataType type);

    /**
     * Gathers inputs of different lengths on every rank.
     *
     * @param input  input, as many elements as the counts say of this rank.
     * @param output output, as many elements as all counts together.
     * @param counts elements of each rank, the same on all ranks.
     * @param type   type of the elements.
     */
    void allgatherv(MemorySegment input, MemorySegment output, long[] counts, DataType type);

    /**
     * Reduces all ranks' inputs, and gives each rank a block of the result.
     *
     * @param input  {@code count * size} elements.
     * @param output {@code count} elements.
     * @param count  elements of each rank.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     */
    void reduceScatter(MemorySegment input, MemorySegment output, long count, DataType type, ReduceOp op);

    /**
     * Reduces all ranks' inputs, and gives each rank a block of the result, of different lengths.
     *
     * @param input  input, as many elements as all counts together.
     * @param output output, as many elements as the counts say of this rank.
     * @param counts elements of each rank, the same on all ranks.
     * @param type   type of the elements.
     * @param op     operation that combines the elements.
     */
    void reduceScatter(MemorySegment input, MemorySegment output, long[] counts, DataType type, ReduceOp op);

    /**
     * Gathers all ranks' inputs on the root.
     *
     * @param input  {@code count} elements.
     * @param output {@code count * size} elements, on the root; not used on the others, where it may be null.
     * @param count  elements of each rank.
     * @param type   type of the elements.
     * @param root   a rank.
     */
    void gather(MemorySegment input, MemorySegment output, long count, DataType type, int root);

    /**
     * Gathers inputs of different lengths on the root.
     *
     * @param input  {@code count} elements.
     * @param count  count of this rank.
     * @param output output, as many elements as all counts together, on the root; not used on the others.
     * @param counts elements of each rank, on the root; not used on the others, where it may be null.
     * @param type   type of the elements.
     * @param root   a rank.
     */
    void gatherv(MemorySegment input, long count, MemorySegment output, long[] counts, DataType type, int root);

    /**
     * Gives each rank a block of the root's input.
     *
     * @param input  {@code count * size} elements, on the root; not used on the others, where it may be null.
     * @param output {@code count} elements.
     * @param count  elements of each rank.
     * @param type   type of the elements.
     * @param root   a rank.
     */
    void scatter(MemorySegment input, MemorySegment output, long count, DataType type, int root);

    /**
     * Gives each rank a block of the root's input, of different lengths.
     *
     * @param input  input, as many elements as all counts together, on the root; not used on the others.
     * @param counts elements of each rank, on the root; not used on the others, where it may be null.
     * @param output {@code count} elements.
     * @param count  count of this rank.
     * @param type   type of the elements.
     * @param root   a rank.
     */
    void scatterv(MemorySegment input, long[] counts, MemorySegment output, long count, DataType type, int root);

    /**
     * Sends every rank a block of the input, and gets one from each.
     *
     * @param input  {@code count * size} elements.
     * @param output {@code count * size} elements.
     * @param count  elements from each rank to each.
     * @param type   type of the elements.
     */
    void alltoall(MemorySegment input, MemorySegment output, long count, DataType type);

    /**
     * Sends every rank a block of the input, and gets one from each, of different lengths.
     *
     * @param input         input, as many elements as all counts together.
     * @param sendCounts    elements to each rank.
     * @param output        output, as many elements as all counts together.
     * @param receiveCounts elements from each rank: as many as that one sends.
     * @param type          type of the elements.
     */
    void alltoallv(
        MemorySegment input, long[] sendCounts, MemorySegment output, long[] receiveCounts, DataType type);
}
