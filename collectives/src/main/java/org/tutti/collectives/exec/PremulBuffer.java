/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.collectives.schedule.Collective;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

/**
 * Where the inputs of PREMUL_SUM go when they have been multiplied, so that each is multiplied once, whatever the
 * schedule sends and adds in whichever order. An allreduce's OUTPUT holds as much as its INPUT: the products go there,
 * and are reduced in place. Other reductions get memory of the communicator's, which grows to the longest input and
 * stays. Not thread-safe: one call at a time.
 */
final class PremulBuffer implements AutoCloseable
{
    private final RegisteredMemoryPool pool;
    private RegisteredBuffer buffer;

    PremulBuffer(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** Whether the plan is one that works in place, for any buffers. */
    static boolean isInPlace(final Collective collective)
    {
        return collective == Collective.ALLREDUCE;
    }

    /**
     * Multiplies.
     *
     * @param plan   plan with a scaler.
     * @param input  input of the call.
     * @param output output of the call.
     * @return what to take for INPUT.
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
