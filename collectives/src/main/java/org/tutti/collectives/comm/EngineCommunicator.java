/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.comm;

import org.agrona.BitUtil;
import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReceiveRequest;
import org.tutti.collectives.Request;
import org.tutti.collectives.Window;
import org.tutti.collectives.config.EngineConfiguration;
import org.tutti.collectives.endpoint.Creation;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.exec.SegmentChecks;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.pt2pt.MessageSession;
import org.tutti.collectives.pt2pt.PointToPointCalls;
import org.tutti.collectives.rma.WindowFactory;
import org.tutti.collectives.staging.CallGroup;
import org.tutti.collectives.staging.Fusion;
import org.tutti.collectives.staging.StagedCalls;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.time.Duration;
import java.util.BitSet;

import static java.util.Objects.requireNonNull;

/**
 * Implements {@link Communicator} as a view of a session. Views that differ only in their timeout share one session.
 */
final class EngineCommunicator extends CollectiveCalls
{
    private static final int MAX_REASON = 1000;

    private final Session session;
    private final ArgumentChecks checks;
    private final StagedCalls staging;
    private final CallGroup group;
    private final long timeoutNs;
    private final PointToPointCalls pointToPoint;

    EngineCommunicator(final Session session, final long timeoutNs)
    {
        this(session, new ArgumentChecks(session.team()), new StagedCalls(session),
            new CallGroup(session, new Fusion(session.team().context().configuration(), session.team())), timeoutNs);
    }

    private EngineCommunicator(
        final Session session, final ArgumentChecks checks, final StagedCalls staging, final CallGroup group,
        final long timeoutNs)
    {
        super(session, checks, staging, group, timeoutNs);
        this.session = session;
        this.staging = staging;
        this.checks = checks;
        this.group = group;
        this.timeoutNs = timeoutNs;
        pointToPoint = new PointToPointCalls(
            session.team(), (MessageSession)session.messages(), checks, timeoutNs);
    }

    Team team()
    {
        return session.team();
    }

    @Override
    public int rank()
    {
        return session.team().rank();
    }

    @Override
    public int size()
    {
        return session.team().size();
    }

    @Override
    public String transport()
    {
        return session.team().transport();
    }

    @Override
    public Communicator withTimeout(final Duration timeout)
    {
        requireNonNull(timeout, "timeout");
        if (timeout.isZero() || timeout.isNegative())
        {
            throw new IllegalArgumentException("timeout=" + timeout + ": must be greater than 0");
        }
        return new EngineCommunicator(session, checks, staging, group, EngineConfiguration.timeoutNs(timeout));
    }

    @Override
    public Communicator split(final int color, final int key)
    {
        return new Splitter(session).split(Creation.SPLIT, new int[0], color, key, timeoutNs);
    }

    @Override
    public Communicator splitByHost()
    {
        final int host = session.team().hosts().host(rank());
        return new Splitter(session).split(Creation.SPLIT_BY_HOST, new int[0], host, 0, timeoutNs);
    }

    @Override
    public Communicator dup()
    {
        return new Splitter(session).split(Creation.DUP, new int[0], 0, 0, timeoutNs);
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
            throw new IllegalArgumentException("no ranks: pass at least one rank");
        }
        return new Splitter(session).split(Creation.SUB, ranks, place < 0 ? NO_COLOR : 0, place, timeoutNs);
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
        final RegisteredBuffer memory = session.team().pool().allocate(Math.max(1, count * type.size()));
        return new PooledDataBuffer(session.team().context(), type, count, memory);
    }

    @Override
    public DataBuffer register(final DataType type, final MemorySegment segment)
    {
        requireNonNull(type, "type");
        session.requireOpen();
        SegmentChecks.requireRegistrable(segment, type);
        return new PooledDataBuffer(session.team().context(), type, segment);
    }

    @Override
    public SegmentAllocator allocator(final Arena arena)
    {
        requireNonNull(arena, "arena");
        return (length, alignment) -> allocate(length, alignment, arena);
    }

    private MemorySegment allocate(final long length, final long alignment, final Arena arena)
    {
        session.requireOpen();
        if (length < 0 || alignment < 1 || !BitUtil.isPowerOfTwo(alignment))
        {
            throw new IllegalArgumentException("length=" + length + ", alignment=" + alignment +
                ": the length must be at least 0, and the alignment a power of two");
        }
        // Memory of the pool is aligned to a cache line; a longer alignment needs room to move.
        final long room = alignment <= RegisteredMemoryPool.ALIGNMENT ? 0 : alignment;
        final RegisteredBuffer memory = session.team().pool().allocateRetained(Math.max(1, length) + room);
        try
        {
            final long start = BitUtil.align(memory.address(), alignment);
            return MemorySegment.ofAddress(start).reinterpret(length, arena, _ -> memory.close());
        }
        catch (final RuntimeException e)
        {
            // The arena is closed, or belongs to another thread.
            memory.close();
            throw e;
        }
    }

    @Override
    public void group(final Runnable calls)
    {
        group.run(requireNonNull(calls, "calls"), timeoutNs);
    }

    @Override
    public void sendrecv(
        final MemorySegment input, final long inputCount, final int dest, final MemorySegment output,
        final long outputCount, final int source, final DataType type)
    {
        pointToPoint.sendrecv(input, inputCount, dest, output, outputCount, source, type);
    }

    @Override
    public void send(final DataBuffer input, final int dest, final int tag)
    {
        pointToPoint.send(input, dest, tag);
    }

    @Override
    public void recv(final DataBuffer output, final int source, final int tag, final MessageStatus status)
    {
        pointToPoint.recv(output, source, tag, status);
    }

    @Override
    public void sendrecv(
        final DataBuffer input, final int dest, final int sendTag, final DataBuffer output, final int source,
        final int recvTag, final MessageStatus status)
    {
        pointToPoint.sendrecv(input, dest, sendTag, output, source, recvTag, status);
    }

    @Override
    public Request isend(final DataBuffer input, final int dest, final int tag)
    {
        return pointToPoint.sendRequest(input, dest, tag, false);
    }

    @Override
    public ReceiveRequest irecv(final DataBuffer output, final int source, final int tag)
    {
        return pointToPoint.recvRequest(output, source, tag, false);
    }

    @Override
    public PersistentRequest sendInit(final DataBuffer input, final int dest, final int tag)
    {
        return pointToPoint.sendRequest(input, dest, tag, true);
    }

    @Override
    public PersistentRequest recvInit(final DataBuffer output, final int source, final int tag)
    {
        return pointToPoint.recvRequest(output, source, tag, true);
    }

    @Override
    public void probe(final int source, final int tag, final MessageStatus status)
    {
        pointToPoint.probe(source, tag, true, status);
    }

    @Override
    public boolean iprobe(final int source, final int tag, final MessageStatus status)
    {
        return pointToPoint.probe(source, tag, false, status);
    }

    @Override
    public void send(final MemorySegment input, final long count, final DataType type, final int dest, final int tag)
    {
        pointToPoint.send(input, count, type, dest, tag);
    }

    @Override
    public void recv(
        final MemorySegment output, final long count, final DataType type, final int source, final int tag,
        final MessageStatus status)
    {
        pointToPoint.recv(output, count, type, source, tag, status);
    }

    @Override
    public Window window(final DataBuffer memory, final int signals)
    {
        return WindowFactory.make(session, checks, memory, signals, timeoutNs);
    }

    @Override
    public void abort(final String reason)
    {
        if (requireNonNull(reason, "reason").isBlank())
        {
            throw new IllegalArgumentException("the reason is blank: state why this rank cannot go on");
        }
        final String line = reason.strip().replaceAll("\\s*\\R\\s*", " ");
        session.abort(line.length() <= MAX_REASON ? line : line.substring(0, MAX_REASON) + "…");
    }

    @Override
    public void close()
    {
        session.closing().close(timeoutNs);
    }
}
