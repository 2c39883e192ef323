/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** A buffer in the registered memory that the communicators of a rank share. */
public final class PooledDataBuffer implements DataBuffer
{
    private final CollectiveContext owner;
    private final DataType type;
    private final long count;
    private final RegisteredBuffer memory;
    /** The number of requests that use the memory, shared with slices. */
    private final AtomicInteger uses;
    private final boolean isSlice;
    private boolean closed;

    public PooledDataBuffer(
        final CollectiveContext owner, final DataType type, final long count, final RegisteredBuffer memory)
    {
        this(owner, type, count, memory, new AtomicInteger(), false);
    }

    private PooledDataBuffer(
        final CollectiveContext owner, final DataType type, final long count,
        final RegisteredBuffer memory, final AtomicInteger uses, final boolean isSlice)
    {
        this.owner = owner;
        this.type = type;
        this.count = count;
        this.memory = memory;
        this.uses = uses;
        this.isSlice = isSlice;
    }

    public CollectiveContext owner()
    {
        return owner;
    }

    /**
     * Returns the registered memory of the elements.
     *
     * @throws IllegalStateException if the buffer is closed.
     */
    public RegisteredBuffer memory()
    {
        if (closed)
        {
            throw new IllegalStateException("the buffer is closed: allocate another one");
        }
        return memory;
    }

    @Override
    public DataType type()
    {
        return type;
    }

    @Override
    public long count()
    {
        return count;
    }

    @Override
    public MemorySegment segment()
    {
        return memory().segment().asSlice(0, count * type.size());
    }

    @Override
    public DataBuffer slice(final long offset, final long sliceCount)
    {
        Objects.checkFromIndexSize(offset, sliceCount, count);
        if (sliceCount == 0)
        {
            return new PooledDataBuffer(owner, type, 0, memory(), uses, true);
        }
        return new PooledDataBuffer(
            owner, type, sliceCount, memory().slice(offset * type.size(), sliceCount * type.size()),
            uses, true);
    }

    /** Counts a request that begins (1) or ends (-1) to use the buffer. */
    public void use(final int change)
    {
        uses.addAndGet(change);
    }

    @Override
    public void close()
    {
        if (!closed && !isSlice)
        {
            if (uses.get() > 0)
            {
                throw new IllegalStateException("the buffer is in use by " + uses.get() +
                    " requests or windows: await them, and close windows and persistent requests, before closing it");
            }
            memory.close();
        }
        closed = true;
    }
}
