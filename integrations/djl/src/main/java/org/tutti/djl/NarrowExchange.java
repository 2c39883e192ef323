/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.Request;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An allreduce of 16-bit values, summed in FLOAT32: an alltoall gives each rank all inputs of its chunk, which it sums
 * in rank order; an allgather distributes the sums. An allreduce of a 16-bit type sends as many bytes, but rounds after
 * each addition.
 */
final class NarrowExchange implements BucketExchange
{
    private final Communicator communicator;
    private final WireType wire;
    private final float factor;
    private final long chunk;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment values;
    private final MemorySegment sum;
    private final MemorySegment addend;
    private final DataBuffer outgoing;
    private final DataBuffer incoming;
    private final DataBuffer own;
    private Request request;

    NarrowExchange(final Communicator communicator, final WireType wire, final boolean average, final long count)
    {
        this.communicator = communicator;
        this.wire = wire;
        factor = average ? 1f / communicator.size() : 1;
        chunk = Math.ceilDiv(count, communicator.size());
        final long padded = chunk * communicator.size();
        values = arena.allocate(padded * Float.BYTES, Long.BYTES);
        sum = arena.allocate(chunk * Float.BYTES, Long.BYTES);
        addend = arena.allocate(chunk * Float.BYTES, Long.BYTES);
        outgoing = communicator.allocate(wire.type(), padded);
        incoming = communicator.allocate(wire.type(), padded);
        own = communicator.allocate(wire.type(), chunk);
    }

    @Override
    public MemorySegment values()
    {
        return values;
    }

    @Override
    public void start()
    {
        Floats.encode(wire, values, outgoing.segment(), outgoing.count());
        request = communicator.ialltoall(outgoing, incoming);
    }

    @Override
    public void proceed()
    {
        request.await();
        Floats.decode(wire, incoming.segment(), 0, sum, chunk);
        for (int rank = 1; rank < communicator.size(); rank++)
        {
            Floats.decode(wire, incoming.segment(), rank * chunk, addend, chunk);
            Floats.add(addend, sum, chunk);
        }
        Floats.copy(sum, 0, sum, 0, chunk, factor);
        Floats.encode(wire, sum, own.segment(), chunk);
        request = communicator.iallgather(own, outgoing);
    }

    @Override
    public void finish()
    {
        request.await();
        Floats.decode(wire, outgoing.segment(), 0, values, outgoing.count());
    }

    @Override
    public void close()
    {
        outgoing.close();
        incoming.close();
        own.close();
        arena.close();
    }
}
