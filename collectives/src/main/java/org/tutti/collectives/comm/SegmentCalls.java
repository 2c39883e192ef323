/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.SegmentChecks;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.staging.StagedCalls;

import java.lang.foreign.MemorySegment;

/** The blocking collectives of a communicator on unregistered memory, staged through registered memory. */
abstract class SegmentCalls implements Communicator
{
    private final Session session;
    private final long timeoutNs;
    private final SegmentChecks checks;
    private final StagedCalls staging;

    SegmentCalls(
        final Session session, final ArgumentChecks checks, final StagedCalls staging, final long timeoutNs)
    {
        this.staging = staging;
        this.session = session;
        this.timeoutNs = timeoutNs;
        this.checks = new SegmentChecks(session.team(), checks);
    }

    /** Takes the communicator's lock, and returns the session's call object, still without arguments. */
    private CollectiveCall staged(final Collective collective)
    {
        return session.take(collective, timeoutNs);
    }

    private void stage(final CollectiveCall call)
    {
        try
        {
            checks.settle(call);
            session.enterTaken(timeoutNs);
            staging.run(call);
        }
        finally
        {
            call.clear();
            session.leave();
        }
    }

    @Override
    public final void broadcast(final MemorySegment buffer, final long count, final DataType type, final int root)
    {
        stage(staged(Collective.BROADCAST).segments(buffer, buffer, count, type).root(root));
    }

    @Override
    public final void allreduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final ReduceOp op)
    {
        stage(staged(Collective.ALLREDUCE).segments(input, output, count, type).op(op));
    }

    @Override
    public final void reduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final ReduceOp op,
        final int root)
    {
        stage(staged(Collective.REDUCE).segments(input, output, count, type).op(op).root(root));
    }

    @Override
    public final void scan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final ReduceOp op)
    {
        stage(staged(Collective.SCAN).segments(input, output, count, type).op(op));
    }

    @Override
    public final void exscan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final ReduceOp op)
    {
        stage(staged(Collective.EXSCAN).segments(input, output, count, type).op(op));
    }

    @Override
    public final void allgather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stage(staged(Collective.ALLGATHER).segments(input, output, count, type));
    }

    @Override
    public final void allgatherv(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type)
    {
        stage(staged(Collective.ALLGATHER).segments(input, output, 0, type).blocks(counts, null));
    }

    @Override
    public final void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final ReduceOp op)
    {
        stage(staged(Collective.REDUCE_SCATTER).segments(input, output, count, type).op(op));
    }

    @Override
    public final void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type,
        final ReduceOp op)
    {
        stage(staged(Collective.REDUCE_SCATTER).segments(input, output, 0, type).blocks(counts, null).op(op));
    }

    @Override
    public final void gather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stage(staged(Collective.GATHER).segments(input, output, count, type).root(root));
    }

    @Override
    public final void gatherv(
        final MemorySegment input, final long count, final MemorySegment output, final long[] counts,
        final DataType type, final int root)
    {
        stage(staged(Collective.GATHERV).segments(input, output, count, type).blocks(counts, null).root(root));
    }

    @Override
    public final void scatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stage(staged(Collective.SCATTER).segments(input, output, count, type).root(root));
    }

    @Override
    public final void scatterv(
        final MemorySegment input, final long[] counts, final MemorySegment output, final long count,
        final DataType type, final int root)
    {
        stage(staged(Collective.SCATTERV).segments(input, output, count, type).blocks(counts, null).root(root));
    }

    @Override
    public final void alltoall(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stage(staged(Collective.ALLTOALL).segments(input, output, count, type));
    }

    @Override
    public final void alltoallv(
        final MemorySegment input, final long[] sendCounts, final MemorySegment output, final long[] receiveCounts,
        final DataType type)
    {
        stage(staged(Collective.ALLTOALLV).segments(input, output, 0, type).blocks(sendCounts, null)
            .receives(receiveCounts, null));
    }
}
