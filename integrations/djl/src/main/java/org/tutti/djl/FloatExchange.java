/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.djl;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.PersistentRequest;
import org.tutti.collectives.ReduceOp;

import java.lang.foreign.MemorySegment;

/** An allreduce in place. */
final class FloatExchange implements BucketExchange
{
    private final DataBuffer buffer;
    private final PersistentRequest allreduce;

    FloatExchange(final Communicator communicator, final boolean average, final long count)
    {
        buffer = communicator.allocate(DataType.FLOAT32, count);
        allreduce = communicator.allreduceInit(buffer, average ? ReduceOp.AVG : ReduceOp.SUM);
    }

    @Override
    public MemorySegment values()
    {
        return buffer.segment();
    }

    @Override
    public void start()
    {
        allreduce.start();
    }

    @Override
    public void proceed()
    {
    }

    @Override
    public boolean isReduced()
    {
        return allreduce.test();
    }

    @Override
    public void finish()
    {
        allreduce.await();
    }

    @Override
    public void close()
    {
        allreduce.close();
        buffer.close();
    }
}
