/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.Request;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.exec.CollectiveCall;
import org.tutti.collectives.exec.SegmentChecks;
import org.tutti.collectives.progress.CollectiveRequest;
import org.tutti.collectives.progress.Session;
import org.tutti.collectives.schedule.Collective;
import org.tutti.collectives.staging.Staging;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.MemorySegment;

/**
 * Checks the arguments of sends and receives and executes them in their channels. Allocates nothing except requests.
 */
public final class PointToPointCalls
{
    private final Session session;
    private final ArgumentChecks checks;
    private final long timeoutNs;

    public PointToPointCalls(final Session session, final ArgumentChecks checks, final long timeoutNs)
    {
        this.session = session;
        this.checks = checks;
        this.timeoutNs = timeoutNs;
    }

    public void send(final DataBuffer input, final int dest)
    {
        final PooledDataBuffer own = checks.own("input", input);
        run(to(dest), own);
    }

    public void recv(final DataBuffer output, final int source)
    {
        final PooledDataBuffer own = checks.own("output", output);
        run(from(source), own);
    }

    /** See {@link org.tutti.collectives.PointToPoint#sendrecv}. */
    public void sendrecv(final DataBuffer input, final int dest, final DataBuffer output, final int source)
    {
        final PooledDataBuffer in = checks.own("input", input);
        final PooledDataBuffer out = checks.own("output", output);
        final long distance = out.memory().address() - in.memory().address();
        if (in.count() > 0 && out.count() > 0 &&
            distance < in.count() * in.type().size() && -distance < out.count() * out.type().size())
        {
            throw overlap();
        }
        requirePeer("dest", dest);
        requirePeer("source", source);
        final Session sends = session.channels().to(dest);
        final Session receives = session.channels().from(source);
        if (!Sendrecv.tryRun(receives, out, sends, in, timeoutNs))
        {
            final long startNs = System.nanoTime();
            final CollectiveRequest receiving = start(receives, out);
            final CollectiveRequest sending;
            try
            {
                sending = start(sends, in);
            }
            catch (final RuntimeException e)
            {
                // The send was not started, so the receive must not be either.
                receiving.cancel();
                throw e;
            }
            sending.await(startNs);
            receiving.await(startNs);
        }
    }

    public Request isend(final DataBuffer input, final int dest)
    {
        final PooledDataBuffer own = checks.own("input", input);
        return start(to(dest), own);
    }

    public Request irecv(final DataBuffer output, final int source)
    {
        final PooledDataBuffer own = checks.own("output", output);
        return start(from(source), own);
    }

    public PersistentRequest sendInit(final DataBuffer input, final int dest)
    {
        final PooledDataBuffer own = checks.own("input", input);
        return request(to(dest), own, true);
    }

    public PersistentRequest recvInit(final DataBuffer output, final int source)
    {
        final PooledDataBuffer own = checks.own("output", output);
        return request(from(source), own, true);
    }

    public void send(final MemorySegment input, final long count, final DataType type, final int dest)
    {
        SegmentChecks.requireReadable("input", input, count, type);
        stage(to(dest), input, null, count, type);
    }

    public void recv(final MemorySegment output, final long count, final DataType type, final int source)
    {
        SegmentChecks.requireWritable("output", output, count, type);
        stage(from(source), null, output, count, type);
    }

    /** See {@link org.tutti.collectives.PointToPoint#sendrecv}. */
    public void sendrecv(
        final MemorySegment input, final long inputCount, final int dest, final MemorySegment output,
        final long outputCount, final int source, final DataType type)
    {
        SegmentChecks.requireReadable("input", input, inputCount, type);
        SegmentChecks.requireWritable("output", output, outputCount, type);
        if (input.asSlice(0, inputCount * type.size())
            .asOverlappingSlice(output.asSlice(0, outputCount * type.size())).isPresent())
        {
            throw overlap();
        }
        requirePeer("dest", dest);
        requirePeer("source", source);
        StagedSendrecv.run(session.channels().from(source), output, outputCount, session.channels().to(dest), input,
            inputCount, type, timeoutNs);
    }

    private static IllegalArgumentException overlap()
    {
        return new IllegalArgumentException(
            "input and output overlap: receive into separate memory");
    }

    private void stage(
        final Session channel, final MemorySegment input, final MemorySegment output, final long count,
        final DataType type)
    {
        final CollectiveCall call = channel.take(Collective.BROADCAST, timeoutNs);
        try
        {
            channel.enterTaken(timeoutNs);
            Staging.run(channel, call.segments(input, output, count, type));
        }
        finally
        {
            call.clear();
            channel.leave();
        }
    }

    private void run(final Session channel, final PooledDataBuffer buffer)
    {
        final CollectiveCall call = channel.take(Collective.BROADCAST, timeoutNs);
        try
        {
            channel.enterTaken(timeoutNs);
            channel.execute(Sendrecv.set(call, buffer));
        }
        finally
        {
            channel.leave();
        }
    }

    private CollectiveRequest start(final Session channel, final PooledDataBuffer buffer)
    {
        return request(channel, buffer, false);
    }

    private CollectiveRequest request(final Session channel, final PooledDataBuffer buffer, final boolean isPersistent)
    {
        return channel.requests().request(
            Sendrecv.set(new CollectiveCall().of(Collective.BROADCAST), buffer), timeoutNs, isPersistent);
    }

    private Session to(final int dest)
    {
        requirePeer("dest", dest);
        return session.channels().to(dest);
    }

    private Session from(final int source)
    {
        requirePeer("source", source);
        return session.channels().from(source);
    }

    private void requirePeer(final String name, final int peer)
    {
        final Team team = session.team();
        if (peer < 0 || peer >= team.size())
        {
            throw new IllegalArgumentException(name + "=" + peer + ": must be from 0 to " + (team.size() - 1));
        }
        if (peer == team.rank())
        {
            throw new IllegalArgumentException(name + "=" + peer +
                ": must not be this rank: copy the elements instead");
        }
    }
}
