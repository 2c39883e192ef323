/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives;

import java.lang.foreign.MemorySegment;

/**
 * Collectives on whole arrays; otherwise as {@link MemoryCollectives}. Equal blocks are as long as the array that holds
 * a single block, or, if both arrays hold a block per rank ({@code alltoall}), as the array length divided by the
 * number of ranks. An array that is ignored on a rank may be null.
 */
public interface ArrayCollectives extends MemoryCollectives
{
    /**
     * Returns the number of ranks.
     *
     * @return number of ranks, at least 1.
     */
    int size();

    default void reduce(final float[] input, final float[] output, final ReduceOp op, final int root)
    {
        reduce(of(input), of(output), input.length, DataType.FLOAT32, op, root);
    }

    default void scan(final float[] input, final float[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        scan(of(input), of(output), input.length, DataType.FLOAT32, op);
    }

    default void exscan(final float[] input, final float[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        exscan(of(input), of(output), input.length, DataType.FLOAT32, op);
    }

    default void allgather(final float[] input, final float[] output)
    {
        allgather(of(input), of(output), input.length, DataType.FLOAT32);
    }

    default void allgatherv(final float[] input, final float[] output, final long... counts)
    {
        allgatherv(of(input), of(output), counts, DataType.FLOAT32);
    }

    default void reduceScatter(final float[] input, final float[] output, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), output.length, DataType.FLOAT32, op);
    }

    default void reduceScatter(final float[] input, final float[] output, final long[] counts, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), counts, DataType.FLOAT32, op);
    }

    default void gather(final float[] input, final float[] output, final int root)
    {
        gather(of(input), of(output), input.length, DataType.FLOAT32, root);
    }

    default void gatherv(final float[] input, final float[] output, final long[] counts, final int root)
    {
        gatherv(of(input), input.length, of(output), counts, DataType.FLOAT32, root);
    }

    default void scatter(final float[] input, final float[] output, final int root)
    {
        scatter(of(input), of(output), output.length, DataType.FLOAT32, root);
    }

    default void scatterv(final float[] input, final long[] counts, final float[] output, final int root)
    {
        scatterv(of(input), counts, of(output), output.length, DataType.FLOAT32, root);
    }

    default void alltoall(final float[] input, final float[] output)
    {
        requireSameLength(input.length, output.length);
        alltoall(of(input), of(output), blockLength(input.length), DataType.FLOAT32);
    }

    default void alltoallv(
        final float[] input, final long[] sendCounts, final float[] output, final long[] receiveCounts)
    {
        alltoallv(of(input), sendCounts, of(output), receiveCounts, DataType.FLOAT32);
    }

    default void reduce(final double[] input, final double[] output, final ReduceOp op, final int root)
    {
        reduce(of(input), of(output), input.length, DataType.FLOAT64, op, root);
    }

    default void scan(final double[] input, final double[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        scan(of(input), of(output), input.length, DataType.FLOAT64, op);
    }

    default void exscan(final double[] input, final double[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        exscan(of(input), of(output), input.length, DataType.FLOAT64, op);
    }

    default void allgather(final double[] input, final double[] output)
    {
        allgather(of(input), of(output), input.length, DataType.FLOAT64);
    }

    default void allgatherv(final double[] input, final double[] output, final long... counts)
    {
        allgatherv(of(input), of(output), counts, DataType.FLOAT64);
    }

    default void reduceScatter(final double[] input, final double[] output, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), output.length, DataType.FLOAT64, op);
    }

    default void reduceScatter(final double[] input, final double[] output, final long[] counts, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), counts, DataType.FLOAT64, op);
    }

    default void gather(final double[] input, final double[] output, final int root)
    {
        gather(of(input), of(output), input.length, DataType.FLOAT64, root);
    }

    default void gatherv(final double[] input, final double[] output, final long[] counts, final int root)
    {
        gatherv(of(input), input.length, of(output), counts, DataType.FLOAT64, root);
    }

    default void scatter(final double[] input, final double[] output, final int root)
    {
        scatter(of(input), of(output), output.length, DataType.FLOAT64, root);
    }

    default void scatterv(final double[] input, final long[] counts, final double[] output, final int root)
    {
        scatterv(of(input), counts, of(output), output.length, DataType.FLOAT64, root);
    }

    default void alltoall(final double[] input, final double[] output)
    {
        requireSameLength(input.length, output.length);
        alltoall(of(input), of(output), blockLength(input.length), DataType.FLOAT64);
    }

    default void alltoallv(
        final double[] input, final long[] sendCounts, final double[] output, final long[] receiveCounts)
    {
        alltoallv(of(input), sendCounts, of(output), receiveCounts, DataType.FLOAT64);
    }

    default void reduce(final int[] input, final int[] output, final ReduceOp op, final int root)
    {
        reduce(of(input), of(output), input.length, DataType.INT32, op, root);
    }

    default void scan(final int[] input, final int[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        scan(of(input), of(output), input.length, DataType.INT32, op);
    }

    default void exscan(final int[] input, final int[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        exscan(of(input), of(output), input.length, DataType.INT32, op);
    }

    default void allgather(final int[] input, final int[] output)
    {
        allgather(of(input), of(output), input.length, DataType.INT32);
    }

    default void allgatherv(final int[] input, final int[] output, final long... counts)
    {
        allgatherv(of(input), of(output), counts, DataType.INT32);
    }

    default void reduceScatter(final int[] input, final int[] output, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), output.length, DataType.INT32, op);
    }

    default void reduceScatter(final int[] input, final int[] output, final long[] counts, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), counts, DataType.INT32, op);
    }

    default void gather(final int[] input, final int[] output, final int root)
    {
        gather(of(input), of(output), input.length, DataType.INT32, root);
    }

    default void gatherv(final int[] input, final int[] output, final long[] counts, final int root)
    {
        gatherv(of(input), input.length, of(output), counts, DataType.INT32, root);
    }

    default void scatter(final int[] input, final int[] output, final int root)
    {
        scatter(of(input), of(output), output.length, DataType.INT32, root);
    }

    default void scatterv(final int[] input, final long[] counts, final int[] output, final int root)
    {
        scatterv(of(input), counts, of(output), output.length, DataType.INT32, root);
    }

    default void alltoall(final int[] input, final int[] output)
    {
        requireSameLength(input.length, output.length);
        alltoall(of(input), of(output), blockLength(input.length), DataType.INT32);
    }

    default void alltoallv(
        final int[] input, final long[] sendCounts, final int[] output, final long[] receiveCounts)
    {
        alltoallv(of(input), sendCounts, of(output), receiveCounts, DataType.INT32);
    }

    default void reduce(final long[] input, final long[] output, final ReduceOp op, final int root)
    {
        reduce(of(input), of(output), input.length, DataType.INT64, op, root);
    }

    default void scan(final long[] input, final long[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        scan(of(input), of(output), input.length, DataType.INT64, op);
    }

    default void exscan(final long[] input, final long[] output, final ReduceOp op)
    {
        requireSameLength(input.length, output.length);
        exscan(of(input), of(output), input.length, DataType.INT64, op);
    }

    default void allgather(final long[] input, final long[] output)
    {
        allgather(of(input), of(output), input.length, DataType.INT64);
    }

    default void allgatherv(final long[] input, final long[] output, final long... counts)
    {
        allgatherv(of(input), of(output), counts, DataType.INT64);
    }

    default void reduceScatter(final long[] input, final long[] output, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), output.length, DataType.INT64, op);
    }

    default void reduceScatter(final long[] input, final long[] output, final long[] counts, final ReduceOp op)
    {
        reduceScatter(of(input), of(output), counts, DataType.INT64, op);
    }

    default void gather(final long[] input, final long[] output, final int root)
    {
        gather(of(input), of(output), input.length, DataType.INT64, root);
    }

    default void gatherv(final long[] input, final long[] output, final long[] counts, final int root)
    {
        gatherv(of(input), input.length, of(output), counts, DataType.INT64, root);
    }

    default void scatter(final long[] input, final long[] output, final int root)
    {
        scatter(of(input), of(output), output.length, DataType.INT64, root);
    }

    default void scatterv(final long[] input, final long[] counts, final long[] output, final int root)
    {
        scatterv(of(input), counts, of(output), output.length, DataType.INT64, root);
    }

    default void alltoall(final long[] input, final long[] output)
    {
        requireSameLength(input.length, output.length);
        alltoall(of(input), of(output), blockLength(input.length), DataType.INT64);
    }

    default void alltoallv(
        final long[] input, final long[] sendCounts, final long[] output, final long[] receiveCounts)
    {
        alltoallv(of(input), sendCounts, of(output), receiveCounts, DataType.INT64);
    }

    private static MemorySegment of(final float[] array)
    {
        return array == null ? null : MemorySegment.ofArray(array);
    }

    private static MemorySegment of(final double[] array)
    {
        return array == null ? null : MemorySegment.ofArray(array);
    }

    private static MemorySegment of(final int[] array)
    {
        return array == null ? null : MemorySegment.ofArray(array);
    }

    private static MemorySegment of(final long[] array)
    {
        return array == null ? null : MemorySegment.ofArray(array);
    }

    private long blockLength(final int length)
    {
        if (length % size() != 0)
        {
            throw new IllegalArgumentException(
                "input count " + length + " is not a multiple of the number of ranks, " + size());
        }
        return length / size();
    }

    private static void requireSameLength(final int input, final int output)
    {
        if (input != output)
        {
            throw new IllegalArgumentException("input and output counts differ: " + input + " != " + output);
        }
    }
}
