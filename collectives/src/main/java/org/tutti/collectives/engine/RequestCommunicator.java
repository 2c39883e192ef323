/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.schedule.Collective;

/** The calls of a communicator that return requests. */
abstract class RequestCommunicator extends BlockingCommunicator
{
    private final RequestCalls started;
    private final RequestCalls persistent;

    RequestCommunicator(final Session session, final long timeoutNs)
    {
        super(session, timeoutNs);
        started = new RequestCalls(session, timeoutNs, false);
        persistent = new RequestCalls(session, timeoutNs, true);
    }

    @Override
    public final Request iallreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return started.reduce(Collective.ALLREDUCE, input, output, op, 0);
    }

    @Override
    public final Request ibroadcast(final DataBuffer buffer, final int root)
    {
        return started.broadcast(buffer, root);
    }

    @Override
    public final Request ibarrier()
    {
        return started.barrier();
    }

    @Override
    public final Request ireduce(final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        return started.reduce(Collective.REDUCE, input, output, op, root);
    }

    @Override
    public final Request iscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return started.reduce(Collective.SCAN, input, output, op, 0);
    }

    @Override
    public final Request iexscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return started.reduce(Collective.EXSCAN, input, output, op, 0);
    }

    @Override
    public final Request iallgather(final DataBuffer input, final DataBuffer output)
    {
        return started.allgather(input, output);
    }

    @Override
    public final Request iallgatherv(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        return started.allgatherv(input, output, counts);
    }

    @Override
    public final Request ireduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return started.reduceScatter(input, output, op);
    }

    @Override
    public final Request ireduceScatter(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        return started.reduceScatter(input, output, counts, op);
    }

    @Override
    public final Request igather(final DataBuffer input, final DataBuffer output, final int root)
    {
        return started.gather(input, output, root);
    }

    @Override
    public final Request igatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        return started.gatherv(input, output, counts, displacements, root);
    }

    @Override
    public final Request iscatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        return started.scatter(input, output, root);
    }

    @Override
    public final Request iscatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        return started.scatterv(input, counts, displacements, output, root);
    }

    @Override
    public final Request ialltoall(final DataBuffer input, final DataBuffer output)
    {
        return started.alltoall(input, output);
    }

    @Override
    public final Request ialltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        return started.alltoallv(input, sendCounts, sendDisplacements, output, receiveCounts, receiveDisplacements);
    }

    @Override
    public final PersistentRequest allreduceInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return persistent.reduce(Collective.ALLREDUCE, input, output, op, 0);
    }

    @Override
    public final PersistentRequest broadcastInit(final DataBuffer buffer, final int root)
    {
        return persistent.broadcast(buffer, root);
    }

    @Override
    public final PersistentRequest barrierInit()
    {
        return persistent.barrier();
    }

    @Override
    public final PersistentRequest reduceInit(
        final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        return persistent.reduce(Collective.REDUCE, input, output, op, root);
    }

    @Override
    public final PersistentRequest scanInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return persistent.reduce(Collective.SCAN, input, output, op, 0);
    }

    @Override
    public final PersistentRequest exscanInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return persistent.reduce(Collective.EXSCAN, input, output, op, 0);
    }

    @Override
    public final PersistentRequest allgatherInit(final DataBuffer input, final DataBuffer output)
    {
        return persistent.allgather(input, output);
    }

    @Override
    public final PersistentRequest allgathervInit(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        return persistent.allgatherv(input, output, counts);
    }

    @Override
    public final PersistentRequest reduceScatterInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return persistent.reduceScatter(input, output, op);
    }

    @Override
    public final PersistentRequest reduceScatterInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        return persistent.reduceScatter(input, output, counts, op);
    }

    @Override
    public final PersistentRequest gatherInit(final DataBuffer input, final DataBuffer output, final int root)
    {
        return persistent.gather(input, output, root);
    }

    @Override
    public final PersistentRequest gathervInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        return persistent.gatherv(input, output, counts, displacements, root);
    }

    @Override
    public final PersistentRequest scatterInit(final DataBuffer input, final DataBuffer output, final int root)
    {
        return persistent.scatter(input, output, root);
    }

    @Override
    public final PersistentRequest scattervInit(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        return persistent.scatterv(input, counts, displacements, output, root);
    }

    @Override
    public final PersistentRequest alltoallInit(final DataBuffer input, final DataBuffer output)
    {
        return persistent.alltoall(input, output);
    }

    @Override
    public final PersistentRequest alltoallvInit(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        return persistent.alltoallv(input, sendCounts, sendDisplacements, output, receiveCounts, receiveDisplacements);
    }
}
