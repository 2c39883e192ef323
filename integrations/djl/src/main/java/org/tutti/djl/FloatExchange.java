/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.ReduceOp;
import org.tutti.collectives.Request;

import java.lang.foreign.MemorySegment;

/** An allreduce in place. */
final class FloatExchange implements BucketExchange
{
    private final Communicator communicator;
    private final ReduceOp op;
    private final DataBuffer buffer;
    private Request request;

    FloatExchange(final Communicator communicator, final boolean average, final long count)
    {
        this.communicator = communicator;
        op = average ? ReduceOp.AVG : ReduceOp.SUM;
        buffer = communicator.allocate(DataType.FLOAT32, count);
    }

    @Override
    public MemorySegment values()
    {
        return buffer.segment();
    }

    @Override
    public void start()
    {
        request = communicator.iallreduce(buffer, op);
    }

    @Override
    public void proceed()
    {
    }

    @Override
    public void finish()
    {
        request.await();
    }

    @Override
    public void close()
    {
        buffer.close();
    }
}
