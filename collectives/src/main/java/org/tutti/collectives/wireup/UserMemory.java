/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

import java.lang.foreign.MemorySegment;

/**
 * Memory of the caller, which a {@link PooledDataBuffer} and its slices refer to. If all peers are reached through
 * devices, or the memory is in the context's pool, peers access it directly. Else it is <i>staged</i>: peers of this
 * host cannot map it, so its data is copied through memory of the pool.
 */
final class UserMemory
{
    private final MemorySegment segment;
    private final RegisteredMemoryPool pool;
    private final boolean isStaged;
    /** The segment, registered, or, if it is staged, a copy, once a request has needed it. */
    private RegisteredBuffer registered;

    /**
     * Registers memory.
     *
     * @param segment     native memory that is accessible to all threads.
     * @param pool        pool of the context.
     * @param isReachable whether peers can access any memory of this process.
     */
    UserMemory(final MemorySegment segment, final RegisteredMemoryPool pool, final boolean isReachable)
    {
        this.segment = segment;
        this.pool = pool;
        registered = pool.view(segment.address(), segment.byteSize());
        if (registered == null && isReachable && segment.byteSize() > 0)
        {
            registered = pool.register(segment);
        }
        isStaged = registered == null;
    }

    MemorySegment segment()
    {
        return segment;
    }

    boolean isStaged()
    {
        return isStaged;
    }

    /** Returns registered memory as long as the segment: the segment itself, or, if it is staged, a copy. */
    synchronized RegisteredBuffer registered()
    {
        if (registered == null)
        {
            registered = pool.allocate(Math.max(1, segment.byteSize()));
        }
        return registered;
    }

    synchronized void close()
    {
        if (registered != null)
        {
            registered.close();
        }
    }
}
