/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.PersistentRequest;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An allreduce of 16-bit values, summed in FLOAT32: an alltoall gives each rank all inputs of its chunk, which it sums
 * in rank order; an allgather distributes the sums. An allreduce of a 16-bit type sends as many bytes, but rounds after
 * each addition.
 */
final class NarrowExchange implements BucketExchange
{
    private final WireType wire;
    private final float factor;
    private final int size;
    private final long chunk;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment values;
    private final MemorySegment sum;
    private final MemorySegment addend;
    private final DataBuffer outgoing;
    private final DataBuffer incoming;
    private final DataBuffer own;
    private final PersistentRequest alltoall;
    private final PersistentRequest allgather;
    private boolean isSummed;

    NarrowExchange(final Communicator communicator, final WireType wire, final boolean average, final long count)
    {
        this.wire = wire;
        size = communicator.size();
        factor = average ? 1f / size : 1;
        chunk = Math.ceilDiv(count, size);
        final long padded = chunk * size;
        values = arena.allocate(padded * Float.BYTES, Long.BYTES);
        sum = arena.allocate(chunk * Float.BYTES, Long.BYTES);
        addend = arena.allocate(chunk * Float.BYTES, Long.BYTES);
        outgoing = communicator.allocate(wire.type(), padded);
        incoming = communicator.allocate(wire.type(), padded);
        own = communicator.allocate(wire.type(), chunk);
        alltoall = communicator.alltoallInit(outgoing, incoming);
        allgather = communicator.allgatherInit(own, outgoing);
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
        isSummed = false;
        alltoall.start();
    }

    @Override
    public void proceed()
    {
        alltoall.await();
        Floats.decode(wire, incoming.segment(), 0, sum, chunk);
        for (int rank = 1; rank < size; rank++)
        {
            Floats.decode(wire, incoming.segment(), rank * chunk, addend, chunk);
            Floats.add(addend, sum, chunk);
        }
        Floats.scale(sum, 0, chunk, factor);
        Floats.encode(wire, sum, own.segment(), chunk);
        isSummed = true;
        allgather.start();
    }

    @Override
    public boolean isReduced()
    {
        return isSummed && allgather.test();
    }

    @Override
    public void finish()
    {
        allgather.await();
        Floats.decode(wire, outgoing.segment(), 0, values, outgoing.count());
    }

    @Override
    public void close()
    {
        alltoall.close();
        allgather.close();
        outgoing.close();
        incoming.close();
        own.close();
        arena.close();
    }
}
