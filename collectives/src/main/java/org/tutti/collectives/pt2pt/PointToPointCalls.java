/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.pt2pt;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.MessageStatus;
import org.tutti.collectives.PointToPoint;
import org.tutti.collectives.exec.ArgumentChecks;
import org.tutti.collectives.exec.SegmentChecks;
import org.tutti.collectives.wireup.PooledDataBuffer;
import org.tutti.collectives.wireup.Team;

import java.lang.foreign.MemorySegment;

/**
 * Checks the arguments of sends and receives and executes them; see {@link PointToPoint}. Blocking calls on buffers
 * allocate nothing.
 */
public final class PointToPointCalls
{
    private final Team team;
    private final MessageProgress messages;
    private final ArgumentChecks checks;
    private final long timeoutNs;

    /**
     * Creates the calls of a communicator.
     *
     * @param team      team of the communicator.
     * @param messages  messages of the communicator.
     * @param checks    checks of buffers.
     * @param timeoutNs timeout of each call in nanoseconds.
     */
    public PointToPointCalls(
        final Team team, final MessageSession messages, final ArgumentChecks checks, final long timeoutNs)
    {
        this.team = team;
        this.messages = messages.calls();
        this.checks = checks;
        this.timeoutNs = timeoutNs;
    }

    public void send(final DataBuffer input, final int dest, final int tag)
    {
        final PooledDataBuffer own = checks.own("input", input);
        requireDest(dest, tag);
        run(true, dest, tag, own, null);
    }

    public void recv(final DataBuffer output, final int source, final int tag, final MessageStatus status)
    {
        final PooledDataBuffer own = checks.own("output", output);
        requireSource(source, tag);
        run(false, source, tag, own, status);
    }

    private void run(
        final boolean sends, final int peer, final int tag, final PooledDataBuffer buffer, final MessageStatus status)
    {
        buffer.requireOpen();
        final MessageOperation operation = messages.begin(timeoutNs);
        messages.run(operation.of(sends, peer, tag, buffer), null, timeoutNs, status);
    }

    /** See {@link PointToPoint#sendrecv}. */
    public void sendrecv(
        final DataBuffer input, final int dest, final int sendTag, final DataBuffer output, final int source,
        final int recvTag, final MessageStatus status)
    {
        final PooledDataBuffer in = checks.own("input", input);
        final PooledDataBuffer out = checks.own("output", output);
        final long distance = out.address() - in.address();
        if (in.count() > 0 && out.count() > 0 &&
            distance < in.count() * in.type().size() && -distance < out.count() * out.type().size())
        {
            throw overlap();
        }
        requireDest(dest, sendTag);
        requireSource(source, recvTag);
        final MessageOperation receive = messages.begin(timeoutNs).of(false, source, recvTag, out);
        messages.run(receive, messages.another().of(true, dest, sendTag, in), timeoutNs, status);
    }

    /** See {@link PointToPoint#probe} and {@link PointToPoint#iprobe}. */
    public boolean probe(final int source, final int tag, final boolean waits, final MessageStatus status)
    {
        requireSource(source, tag);
        return messages.probe(messages.begin(timeoutNs).ofProbe(source, tag), waits ? timeoutNs : -1, status);
    }

    /** Creates the request of a send. */
    public MessageRequest sendRequest(
        final DataBuffer input, final int dest, final int tag, final boolean isPersistent)
    {
        final PooledDataBuffer own = checks.own("input", input);
        requireDest(dest, tag);
        return request(new MessageOperation().of(true, dest, tag, own), own, isPersistent);
    }

    /** Creates the request of a receive. */
    public MessageRequest recvRequest(
        final DataBuffer output, final int source, final int tag, final boolean isPersistent)
    {
        final PooledDataBuffer own = checks.own("output", output);
        requireSource(source, tag);
        return request(new MessageOperation().of(false, source, tag, own), own, isPersistent);
    }

    private MessageRequest request(
        final MessageOperation operation, final PooledDataBuffer buffer, final boolean isPersistent)
    {
        final MessageRequest request = new MessageRequest(messages, operation, buffer, timeoutNs, isPersistent);
        if (!isPersistent)
        {
            try
            {
                request.start();
            }
            catch (final RuntimeException e)
            {
                request.abandon();
                throw e;
            }
        }
        return request;
    }

    public void send(
        final MemorySegment input, final long count, final DataType type, final int dest, final int tag)
    {
        SegmentChecks.requireReadable("input", input, count, type);
        requireDest(dest, tag);
        run(true, dest, tag, input, count, type, null);
    }

    public void recv(
        final MemorySegment output, final long count, final DataType type, final int source, final int tag,
        final MessageStatus status)
    {
        SegmentChecks.requireWritable("output", output, count, type);
        requireSource(source, tag);
        run(false, source, tag, output, count, type, status);
    }

    private void run(
        final boolean sends, final int peer, final int tag, final MemorySegment memory, final long count,
        final DataType type, final MessageStatus status)
    {
        final MessageOperation operation = messages.begin(timeoutNs);
        messages.run(operation.of(sends, peer, tag, memory, count, type), null, timeoutNs, status);
    }

    /** See {@link PointToPoint#sendrecv}. */
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
        requireDest(dest, 0);
        requireSource(source, 0);
        final MessageOperation receive =
            messages.begin(timeoutNs).of(false, source, 0, output, outputCount, type);
        messages.run(
            receive, messages.another().of(true, dest, 0, input, inputCount, type), timeoutNs, null);
    }

    private static IllegalArgumentException overlap()
    {
        return new IllegalArgumentException(
            "input and output overlap: receive into separate memory");
    }

    private void requireDest(final int dest, final int tag)
    {
        requirePeer("dest", dest);
        if (tag < 0)
        {
            throw new IllegalArgumentException("tag=" + tag + ": must be from 0 to " + Integer.MAX_VALUE);
        }
    }

    private void requireSource(final int source, final int tag)
    {
        if (source != PointToPoint.ANY_SOURCE)
        {
            requirePeer("source", source);
        }
        else if (team.size() == 1)
        {
            throw new IllegalArgumentException("source=ANY_SOURCE: the communicator has no other rank");
        }
        if (tag < 0 && tag != PointToPoint.ANY_TAG)
        {
            throw new IllegalArgumentException(
                "tag=" + tag + ": must be from 0 to " + Integer.MAX_VALUE + ", or ANY_TAG");
        }
    }

    private void requirePeer(final String name, final int peer)
    {
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
