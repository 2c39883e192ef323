/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

/**
 * Holds the multiplied inputs of PREMUL_SUM, so that each input is multiplied only once, whatever the schedule. OUTPUT
 * of an allreduce is as long as INPUT: the products are stored there and reduced in place. Other reductions use memory
 * of the communicator, which grows to the longest input and is kept. Not thread-safe: one call at a time.
 */
final class PremulBuffer implements AutoCloseable
{
    private final RegisteredMemoryPool pool;
    private RegisteredBuffer buffer;

    PremulBuffer(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** Returns whether the plan of a collective is in place even if input and output are different buffers. */
    static boolean isInPlace(final Collective collective)
    {
        return collective == Collective.ALLREDUCE;
    }

    /**
     * Multiplies the input of a call.
     *
     * @param plan   plan with a scaler.
     * @param input  input of the call.
     * @param output output of the call.
     * @return memory to use as INPUT.
     */
    RegisteredBuffer of(final Plan plan, final RegisteredBuffer input, final RegisteredBuffer output)
    {
        final RegisteredBuffer scaled =
            isInPlace(plan.call().collective()) ? output : buffer(plan.scaler().length());
        plan.scaler().scale(input.address(), scaled.address());
        return scaled;
    }

    @Override
    public void close()
    {
        if (buffer != null)
        {
            buffer.close();
            buffer = null;
        }
    }

    private RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            close();
            buffer = pool.allocate(length);
        }
        return buffer;
    }
}
