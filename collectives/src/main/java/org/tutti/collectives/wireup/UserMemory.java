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
    private boolean closed;

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
        registered = segment.byteSize() == 0 ? pool.allocate(1) : pool.view(segment.address(), segment.byteSize());
        if (registered == null && isReachable)
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
        requireOpen();
        if (registered == null)
        {
            registered = pool.allocate(Math.max(1, segment.byteSize()));
        }
        return registered;
    }

    /** Throws if the memory is no longer registered, or the caller has freed it. */
    synchronized void requireOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("the buffer is closed: register its memory again");
        }
        requireAlive();
    }

    /** Throws if the caller has freed the memory. */
    void requireAlive()
    {
        if (!segment.scope().isAlive())
        {
            throw new IllegalStateException(
                "the memory of the buffer has been freed: close its arena after the buffer and all calls that use it");
        }
    }

    synchronized void close()
    {
        closed = true;
        if (registered != null)
        {
            registered.close();
        }
    }
}
