/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.staging.CallGroup;
import org.tutti.collectives.staging.StagedCalls;

/**
 * The blocking, nonblocking and persistent collectives of a communicator on registered buffers. Each method sets the
 * arguments of a {@link CollectiveCall} and executes it.
 */
abstract class CollectiveCalls extends SegmentCalls
{
    private final Session session;
    private final long timeoutNs;
    private final StagedCalls staging;
    private final CallGroup group;
    private final ArgumentChecks checks;

    CollectiveCalls(
        final Session session, final ArgumentChecks checks, final StagedCalls staging, final CallGroup group,
        final long timeoutNs)
    {
        super(session, checks, staging, timeoutNs);
        this.staging = staging;
        this.session = session;
        this.checks = checks;
        this.timeoutNs = timeoutNs;
        this.group = group;
    }

    /**
     * Returns the object that holds the arguments of a call on registered buffers: the next one of the group if this
     * thread is in a group; else the session's, after taking the communicator's lock.
     */
    private CollectiveCall call(final Collective collective)
    {
        return group.isOpenHere() ? group.next(collective) : session.take(collective, timeoutNs);
    }

    private static CollectiveCall request(final Collective collective)
    {
        return new CollectiveCall().of(collective);
    }

    private void run(final CollectiveCall call)
    {
        if (group.isOpenHere())
        {
            settle(call);
            group.add();
            return;
        }
        try
        {
            checks.settle(call);
            session.enterTaken(call, timeoutNs);
            // Called from here rather than there, where the stack is shallow: docs/adr/0035.
            if (staging.isWhole(call))
            {
                session.execute(call);
            }
            else
            {
                staging.runBuffers(call);
            }
        }
        finally
        {
            session.leave();
        }
    }

    /** Checks a call that is executed as a whole. */
    private void settle(final CollectiveCall call)
    {
        checks.settle(call);
        call.useCopies();
    }

    private Request start(final CollectiveCall call)
    {
        settle(call);
        return session.requests().request(call, timeoutNs, false);
    }

    private PersistentRequest prepare(final CollectiveCall call)
    {
        settle(call);
        return session.requests().request(call, timeoutNs, true);
    }

    @Override
    public final void barrier()
    {
        run(call(Collective.BARRIER));
    }

    @Override
    public final void broadcast(final DataBuffer buffer, final int root)
    {
        run(call(Collective.BROADCAST).buffers(buffer, buffer).root(root));
    }

    @Override
    public final void allreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        run(call(Collective.ALLREDUCE).buffers(input, output).op(op));
    }

    @Override
    public final void reduce(final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        run(call(Collective.REDUCE).buffers(input, output).op(op).root(root));
    }

    @Override
    public final void scan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        run(call(Collective.SCAN).buffers(input, output).op(op));
    }

    @Override
    public final void exscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        run(call(Collective.EXSCAN).buffers(input, output).op(op));
    }

    @Override
    public final void allgather(final DataBuffer input, final DataBuffer output)
    {
        run(call(Collective.ALLGATHER).buffers(input, output));
    }

    @Override
    public final void allgatherv(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        run(call(Collective.ALLGATHER).buffers(input, output).blocks(counts, null));
    }

    @Override
    public final void reduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        run(call(Collective.REDUCE_SCATTER).buffers(input, output).op(op));
    }

    @Override
    public final void reduceScatter(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        run(call(Collective.REDUCE_SCATTER).buffers(input, output).blocks(counts, null).op(op));
    }

    @Override
    public final void gather(final DataBuffer input, final DataBuffer output, final int root)
    {
        run(call(Collective.GATHER).buffers(input, output).root(root));
    }

    @Override
    public final void gatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        run(call(Collective.GATHERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final void scatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        run(call(Collective.SCATTER).buffers(input, output).root(root));
    }

    @Override
    public final void scatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        run(call(Collective.SCATTERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final void alltoall(final DataBuffer input, final DataBuffer output)
    {
        run(call(Collective.ALLTOALL).buffers(input, output));
    }

    @Override
    public final void alltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        run(call(Collective.ALLTOALLV).buffers(input, output).blocks(sendCounts, sendDisplacements)
            .receives(receiveCounts, receiveDisplacements));
    }

    @Override
    public final Request ibarrier()
    {
        return start(request(Collective.BARRIER));
    }

    @Override
    public final Request ibroadcast(final DataBuffer buffer, final int root)
    {
        return start(request(Collective.BROADCAST).buffers(buffer, buffer).root(root));
    }

    @Override
    public final Request iallreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return start(request(Collective.ALLREDUCE).buffers(input, output).op(op));
    }

    @Override
    public final Request ireduce(final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        return start(request(Collective.REDUCE).buffers(input, output).op(op).root(root));
    }

    @Override
    public final Request iscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return start(request(Collective.SCAN).buffers(input, output).op(op));
    }

    @Override
    public final Request iexscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return start(request(Collective.EXSCAN).buffers(input, output).op(op));
    }

    @Override
    public final Request iallgather(final DataBuffer input, final DataBuffer output)
    {
        return start(request(Collective.ALLGATHER).buffers(input, output));
    }

    @Override
    public final Request iallgatherv(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        return start(request(Collective.ALLGATHER).buffers(input, output).blocks(counts, null));
    }

    @Override
    public final Request ireduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return start(request(Collective.REDUCE_SCATTER).buffers(input, output).op(op));
    }

    @Override
    public final Request ireduceScatter(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        return start(request(Collective.REDUCE_SCATTER).buffers(input, output).blocks(counts, null).op(op));
    }

    @Override
    public final Request igather(final DataBuffer input, final DataBuffer output, final int root)
    {
        return start(request(Collective.GATHER).buffers(input, output).root(root));
    }

    @Override
    public final Request igatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        return start(request(Collective.GATHERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final Request iscatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        return start(request(Collective.SCATTER).buffers(input, output).root(root));
    }

    @Override
    public final Request iscatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        return start(request(Collective.SCATTERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final Request ialltoall(final DataBuffer input, final DataBuffer output)
    {
        return start(request(Collective.ALLTOALL).buffers(input, output));
    }

    @Override
    public final Request ialltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        return start(request(Collective.ALLTOALLV).buffers(input, output).blocks(sendCounts, sendDisplacements)
            .receives(receiveCounts, receiveDisplacements));
    }

    @Override
    public final PersistentRequest barrierInit()
    {
        return prepare(request(Collective.BARRIER));
    }

    @Override
    public final PersistentRequest broadcastInit(final DataBuffer buffer, final int root)
    {
        return prepare(request(Collective.BROADCAST).buffers(buffer, buffer).root(root));
    }

    @Override
    public final PersistentRequest allreduceInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return prepare(request(Collective.ALLREDUCE).buffers(input, output).op(op));
    }

    @Override
    public final PersistentRequest reduceInit(
        final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        return prepare(request(Collective.REDUCE).buffers(input, output).op(op).root(root));
    }

    @Override
    public final PersistentRequest scanInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return prepare(request(Collective.SCAN).buffers(input, output).op(op));
    }

    @Override
    public final PersistentRequest exscanInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return prepare(request(Collective.EXSCAN).buffers(input, output).op(op));
    }

    @Override
    public final PersistentRequest allgatherInit(final DataBuffer input, final DataBuffer output)
    {
        return prepare(request(Collective.ALLGATHER).buffers(input, output));
    }

    @Override
    public final PersistentRequest allgathervInit(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        return prepare(request(Collective.ALLGATHER).buffers(input, output).blocks(counts, null));
    }

    @Override
    public final PersistentRequest reduceScatterInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return prepare(request(Collective.REDUCE_SCATTER).buffers(input, output).op(op));
    }

    @Override
    public final PersistentRequest reduceScatterInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        return prepare(request(Collective.REDUCE_SCATTER).buffers(input, output).blocks(counts, null).op(op));
    }

    @Override
    public final PersistentRequest gatherInit(final DataBuffer input, final DataBuffer output, final int root)
    {
        return prepare(request(Collective.GATHER).buffers(input, output).root(root));
    }

    @Override
    public final PersistentRequest gathervInit(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        return prepare(request(Collective.GATHERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final PersistentRequest scatterInit(final DataBuffer input, final DataBuffer output, final int root)
    {
        return prepare(request(Collective.SCATTER).buffers(input, output).root(root));
    }

    @Override
    public final PersistentRequest scattervInit(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        return prepare(request(Collective.SCATTERV).buffers(input, output).blocks(counts, displacements).root(root));
    }

    @Override
    public final PersistentRequest alltoallInit(final DataBuffer input, final DataBuffer output)
    {
        return prepare(request(Collective.ALLTOALL).buffers(input, output));
    }

    @Override
    public final PersistentRequest alltoallvInit(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        return prepare(request(Collective.ALLTOALLV).buffers(input, output).blocks(sendCounts, sendDisplacements)
            .receives(receiveCounts, receiveDisplacements));
    }
}
