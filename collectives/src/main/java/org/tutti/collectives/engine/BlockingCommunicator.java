/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.schedule.Collective;

import java.lang.foreign.MemorySegment;

/** The calls of a communicator that return when this rank's part is done. */
abstract class BlockingCommunicator implements Communicator
{
    private final BlockingCalls calls;
    private final StagedCalls stagedCalls;

    BlockingCommunicator(final Session session, final long timeoutNs)
    {
        calls = new BlockingCalls(session, timeoutNs);
        stagedCalls = new StagedCalls(session, calls, timeoutNs);
    }

    @Override
    public final void barrier()
    {
        calls.barrier();
    }

    @Override
    public final void broadcast(final DataBuffer buffer, final int root)
    {
        calls.broadcast(buffer, root);
    }

    @Override
    public final void allreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduce(Collective.ALLREDUCE, input, output, op, 0);
    }

    @Override
    public final void reduce(final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        calls.reduce(Collective.REDUCE, input, output, op, root);
    }

    @Override
    public final void scan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduce(Collective.SCAN, input, output, op, 0);
    }

    @Override
    public final void exscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduce(Collective.EXSCAN, input, output, op, 0);
    }

    @Override
    public final void allgather(final DataBuffer input, final DataBuffer output)
    {
        calls.allgather(input, output);
    }

    @Override
    public final void allgatherv(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        calls.allgatherv(input, output, counts);
    }

    @Override
    public final void reduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduceScatter(input, output, op);
    }

    @Override
    public final void reduceScatter(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        calls.reduceScatter(input, output, counts, op);
    }

    @Override
    public final void gather(final DataBuffer input, final DataBuffer output, final int root)
    {
        calls.gather(input, output, root);
    }

    @Override
    public final void gatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        calls.gatherv(input, output, counts, displacements, root);
    }

    @Override
    public final void scatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        calls.scatter(input, output, root);
    }

    @Override
    public final void scatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        calls.scatterv(input, counts, displacements, output, root);
    }

    @Override
    public final void alltoall(final DataBuffer input, final DataBuffer output)
    {
        calls.alltoall(input, output);
    }

    @Override
    public final void alltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        calls.alltoallv(input, sendCounts, sendDisplacements, output, receiveCounts, receiveDisplacements);
    }

    @Override
    public final void broadcast(final MemorySegment buffer, final long count, final DataType type, final int root)
    {
        stagedCalls.broadcast(buffer, count, type, root);
    }

    @Override
    public final void allreduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduce(Collective.ALLREDUCE, input, output, count, type, op, 0);
    }

    @Override
    public final void reduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op, final int root)
    {
        stagedCalls.reduce(Collective.REDUCE, input, output, count, type, op, root);
    }

    @Override
    public final void scan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduce(Collective.SCAN, input, output, count, type, op, 0);
    }

    @Override
    public final void exscan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduce(Collective.EXSCAN, input, output, count, type, op, 0);
    }

    @Override
    public final void allgather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stagedCalls.allgather(input, output, count, type);
    }

    @Override
    public final void allgatherv(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type)
    {
        stagedCalls.allgatherv(input, output, counts, type);
    }

    @Override
    public final void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduceScatter(input, output, count, type, op);
    }

    @Override
    public final void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduceScatter(input, output, counts, type, op);
    }

    @Override
    public final void gather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stagedCalls.gather(input, output, count, type, root);
    }

    @Override
    public final void gatherv(
        final MemorySegment input, final long count, final MemorySegment output, final long[] counts,
        final DataType type, final int root)
    {
        stagedCalls.gatherv(input, count, output, counts, type, root);
    }

    @Override
    public final void scatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stagedCalls.scatter(input, output, count, type, root);
    }

    @Override
    public final void scatterv(
        final MemorySegment input, final long[] counts, final MemorySegment output, final long count,
        final DataType type, final int root)
    {
        stagedCalls.scatterv(input, counts, output, count, type, root);
    }

    @Override
    public final void alltoall(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stagedCalls.alltoall(input, output, count, type);
    }

    @Override
    public final void alltoallv(
        final MemorySegment input, final long[] sendCounts, final MemorySegment output, final long[] receiveCounts,
        final DataType type)
    {
        stagedCalls.alltoallv(input, sendCounts, output, receiveCounts, type);
    }
}
