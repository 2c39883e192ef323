/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;
import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.BitSet;

import static java.util.Objects.requireNonNull;

/** A communicator: checks what callers pass, and gives it to the session that all its views share. */
final class EngineCommunicator implements Communicator
{
    private final Session session;
    private final long timeoutNs;
    private final Calls calls;
    private final StagedCalls stagedCalls;

    EngineCommunicator(final Session session, final long timeoutNs)
    {
        this.session = session;
        this.timeoutNs = timeoutNs;
        calls = new Calls(session, timeoutNs);
        stagedCalls = new StagedCalls(session, calls, timeoutNs);
    }

    @Override
    public int rank()
    {
        return session.mesh().rank();
    }

    @Override
    public int size()
    {
        return session.mesh().size();
    }

    @Override
    public String transport()
    {
        return session.mesh().transport();
    }

    @Override
    public Communicator withTimeout(final Duration timeout)
    {
        requireNonNull(timeout, "timeout");
        if (timeout.isZero() || timeout.isNegative())
        {
            throw new IllegalArgumentException("timeout=" + timeout + ": must be more than 0");
        }
        return new EngineCommunicator(session, EngineConfiguration.timeoutNs(timeout));
    }

    @Override
    public Communicator split(final int color, final int key)
    {
        return session.splitter().split(Creation.SPLIT, new int[0], color, key, timeoutNs);
    }

    @Override
    public Communicator splitByHost()
    {
        int color = 0;
        while (!session.mesh().host(color).equals(session.mesh().host(rank())))
        {
            color++;
        }
        return session.splitter().split(Creation.SPLIT_BY_HOST, new int[0], color, 0, timeoutNs);
    }

    @Override
    public Communicator dup()
    {
        return session.splitter().split(Creation.DUP, new int[0], 0, 0, timeoutNs);
    }

    @Override
    public Communicator sub(final int... ranks)
    {
        final BitSet seen = new BitSet();
        int place = NO_COLOR;
        for (int i = 0; i < ranks.length; i++)
        {
            if (ranks[i] < 0 || ranks[i] >= size() || seen.get(ranks[i]))
            {
                throw new IllegalArgumentException("ranks[" + i + "]=" + ranks[i] + ": must be from 0 to " +
                    (size() - 1) + ", each once");
            }
            seen.set(ranks[i]);
            place = ranks[i] == rank() ? i : place;
        }
        if (ranks.length == 0)
        {
            throw new IllegalArgumentException("no ranks: pass at least one");
        }
        return session.splitter().split(Creation.SUB, ranks, place < 0 ? NO_COLOR : 0, place, timeoutNs);
    }

    @Override
    public DataBuffer allocate(final DataType type, final long count)
    {
        requireNonNull(type, "type");
        if (count < 0 || count > Long.MAX_VALUE / type.size())
        {
            throw new IllegalArgumentException(
                "count=" + count + ": must be from 0 to " + Long.MAX_VALUE / type.size());
        }
        session.requireOpen();
        final RegisteredBuffer memory = session.mesh().pool().allocate(Math.max(1, count * type.size()));
        return new PooledDataBuffer(session.mesh().family(), type, count, memory);
    }

    @Override
    public void allreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        final PooledDataBuffer in = calls.own("input", input);
        final PooledDataBuffer out = calls.own("output", output);
        requireReducible(in, out, op);
        session.run(Collective.ALLREDUCE, in.type(), op, in.count(), 0, in.memory(), out.memory(), timeoutNs);
    }

    @Override
    public Request iallreduce(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return allreduceRequest(input, output, op, false);
    }

    @Override
    public PersistentRequest allreduceInit(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        return allreduceRequest(input, output, op, true);
    }

    private EngineRequest allreduceRequest(
        final DataBuffer input, final DataBuffer output, final ReduceOp op, final boolean isPersistent)
    {
        final PooledDataBuffer in = calls.own("input", input);
        final PooledDataBuffer out = calls.own("output", output);
        requireReducible(in, out, op);
        return session.request(
            Collective.ALLREDUCE, in.type(), op, in.count(), 0, in, out, timeoutNs, isPersistent);
    }

    private static void requireReducible(final PooledDataBuffer in, final PooledDataBuffer out, final ReduceOp op)
    {
        requireNonNull(op, "op");
        if (in.type() != out.type())
        {
            throw new IllegalArgumentException(
                "input has type " + in.type() + ", output " + out.type() + ": they must be the same");
        }
        if (in.count() != out.count())
        {
            throw new IllegalArgumentException(
                "input has " + in.count() + " elements, output " + out.count() + ": they must be as many");
        }
        final boolean inPlace = in.memory().address() == out.memory().address();
        final long length = in.count() * in.type().size();
        if (!inPlace && Math.abs(in.memory().address() - out.memory().address()) < length)
        {
            throw Calls.overlap(Collective.ALLREDUCE);
        }
    }

    @Override
    public void allreduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        requireNonNull(op, "op");
        requireReadable("input", input, count, type);
        requireWritable("output", output, count, type);
        final long length = count * type.size();
        if (input.asSlice(0, length).asOverlappingSlice(output.asSlice(0, length))
            .filter(shared -> shared.byteSize() < length).isPresent())
        {
            throw Calls.overlap(Collective.ALLREDUCE);
        }
        session.staging().run(Collective.ALLREDUCE, input, output, count, type, op, 0, timeoutNs);
    }

    @Override
    public void broadcast(final DataBuffer buffer, final int root)
    {
        calls.requireRoot(root);
        final PooledDataBuffer own = calls.own("buffer", buffer);
        session.run(
            Collective.BROADCAST, own.type(), null, own.count(), root, own.memory(), own.memory(), timeoutNs);
    }

    @Override
    public Request ibroadcast(final DataBuffer buffer, final int root)
    {
        return broadcastRequest(buffer, root, false);
    }

    @Override
    public PersistentRequest broadcastInit(final DataBuffer buffer, final int root)
    {
        return broadcastRequest(buffer, root, true);
    }

    private EngineRequest broadcastRequest(final DataBuffer buffer, final int root, final boolean isPersistent)
    {
        calls.requireRoot(root);
        final PooledDataBuffer own = calls.own("buffer", buffer);
        return session.request(
            Collective.BROADCAST, own.type(), null, own.count(), root, own, own, timeoutNs, isPersistent);
    }

    @Override
    public void broadcast(final MemorySegment buffer, final long count, final DataType type, final int root)
    {
        calls.requireRoot(root);
        if (rank() == root)
        {
            requireReadable("buffer", buffer, count, type);
            session.staging().run(Collective.BROADCAST, buffer, null, count, type, null, root, timeoutNs);
        }
        else
        {
            requireWritable("buffer", buffer, count, type);
            session.staging().run(Collective.BROADCAST, null, buffer, count, type, null, root, timeoutNs);
        }
    }

    @Override
    public void reduce(final DataBuffer input, final DataBuffer output, final ReduceOp op, final int root)
    {
        calls.reduce(Collective.REDUCE, input, output, op, root);
    }

    @Override
    public void scan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduce(Collective.SCAN, input, output, op, 0);
    }

    @Override
    public void exscan(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduce(Collective.EXSCAN, input, output, op, 0);
    }

    @Override
    public void allgather(final DataBuffer input, final DataBuffer output)
    {
        calls.allgather(input, output);
    }

    @Override
    public void allgatherv(final DataBuffer input, final DataBuffer output, final long... counts)
    {
        calls.allgatherv(input, output, counts);
    }

    @Override
    public void reduceScatter(final DataBuffer input, final DataBuffer output, final ReduceOp op)
    {
        calls.reduceScatter(input, output, op);
    }

    @Override
    public void reduceScatter(final DataBuffer input, final DataBuffer output, final long[] counts, final ReduceOp op)
    {
        calls.reduceScatter(input, output, counts, op);
    }

    @Override
    public void gather(final DataBuffer input, final DataBuffer output, final int root)
    {
        calls.gather(input, output, root);
    }

    @Override
    public void gatherv(
        final DataBuffer input, final DataBuffer output, final long[] counts, final long[] displacements,
        final int root)
    {
        calls.gatherv(input, output, counts, displacements, root);
    }

    @Override
    public void scatter(final DataBuffer input, final DataBuffer output, final int root)
    {
        calls.scatter(input, output, root);
    }

    @Override
    public void scatterv(
        final DataBuffer input, final long[] counts, final long[] displacements, final DataBuffer output,
        final int root)
    {
        calls.scatterv(input, counts, displacements, output, root);
    }

    @Override
    public void alltoall(final DataBuffer input, final DataBuffer output)
    {
        calls.alltoall(input, output);
    }

    @Override
    public void alltoallv(
        final DataBuffer input, final long[] sendCounts, final long[] sendDisplacements, final DataBuffer output,
        final long[] receiveCounts, final long[] receiveDisplacements)
    {
        calls.alltoallv(input, sendCounts, sendDisplacements, output, receiveCounts, receiveDisplacements);
    }

    @Override
    public void reduce(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op, final int root)
    {
        stagedCalls.reduce(Collective.REDUCE, input, output, count, type, op, root);
    }

    @Override
    public void scan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduce(Collective.SCAN, input, output, count, type, op, 0);
    }

    @Override
    public void exscan(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduce(Collective.EXSCAN, input, output, count, type, op, 0);
    }

    @Override
    public void allgather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stagedCalls.allgather(input, output, count, type);
    }

    @Override
    public void allgatherv(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type)
    {
        stagedCalls.allgatherv(input, output, counts, type);
    }

    @Override
    public void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduceScatter(input, output, count, type, op);
    }

    @Override
    public void reduceScatter(
        final MemorySegment input, final MemorySegment output, final long[] counts, final DataType type,
        final ReduceOp op)
    {
        stagedCalls.reduceScatter(input, output, counts, type, op);
    }

    @Override
    public void gather(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stagedCalls.gather(input, output, count, type, root);
    }

    @Override
    public void gatherv(
        final MemorySegment input, final long count, final MemorySegment output, final long[] counts,
        final DataType type, final int root)
    {
        stagedCalls.gatherv(input, count, output, counts, type, root);
    }

    @Override
    public void scatter(
        final MemorySegment input, final MemorySegment output, final long count, final DataType type, final int root)
    {
        stagedCalls.scatter(input, output, count, type, root);
    }

    @Override
    public void scatterv(
        final MemorySegment input, final long[] counts, final MemorySegment output, final long count,
        final DataType type, final int root)
    {
        stagedCalls.scatterv(input, counts, output, count, type, root);
    }

    @Override
    public void alltoall(final MemorySegment input, final MemorySegment output, final long count, final DataType type)
    {
        stagedCalls.alltoall(input, output, count, type);
    }

    @Override
    public void alltoallv(
        final MemorySegment input, final long[] sendCounts, final MemorySegment output, final long[] receiveCounts,
        final DataType type)
    {
        stagedCalls.alltoallv(input, sendCounts, output, receiveCounts, type);
    }

    @Override
    public void barrier()
    {
        final RegisteredBuffer none = session.mesh().scratch();
        session.run(Collective.BARRIER, null, null, 0, 0, none, none, timeoutNs);
    }

    @Override
    public Request ibarrier()
    {
        return barrierRequest(false);
    }

    @Override
    public PersistentRequest barrierInit()
    {
        return barrierRequest(true);
    }

    private EngineRequest barrierRequest(final boolean isPersistent)
    {
        return session.request(Collective.BARRIER, null, null, 0, 0, null, null, timeoutNs, isPersistent);
    }

    @Override
    public void close()
    {
        session.close();
    }

    static void requireWritable(
        final String name, final MemorySegment segment, final long count, final DataType type)
    {
        requireReadable(name, segment, count, type);
        if (segment.isReadOnly())
        {
            throw new IllegalArgumentException(name + " is read-only: pass memory that can be written");
        }
    }

    static void requireReadable(
        final String name, final MemorySegment segment, final long count, final DataType type)
    {
        requireNonNull(segment, name);
        requireNonNull(type, "type");
        if (!segment.scope().isAlive())
        {
            throw new IllegalStateException(name + " has been freed: its arena is closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread()))
        {
            throw new IllegalArgumentException(name + " belongs to another thread than " +
                Thread.currentThread().getName() + ": call from that one, or allocate it in a shared arena");
        }
        if (count < 0)
        {
            throw new IllegalArgumentException("count=" + count + ": must be at least 0");
        }
        if (count > segment.byteSize() / type.size())
        {
            throw new IllegalArgumentException(name + " has " + segment.byteSize() + " bytes: too short for " +
                count + " × " + type + " (" + type.size() + " bytes each)");
        }
    }
}
