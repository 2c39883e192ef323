/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.engine;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Elements in the registered memory that the communicators of a rank share. */
final class PooledDataBuffer implements DataBuffer
{
    private final Family owner;
    private final DataType type;
    private final long count;
    private final RegisteredBuffer memory;
    private final boolean isSlice;
    private boolean closed;

    PooledDataBuffer(
        final Family owner, final DataType type, final long count,
        final RegisteredBuffer memory, final boolean isSlice)
    {
        this.owner = owner;
        this.type = type;
        this.count = count;
        this.memory = memory;
        this.isSlice = isSlice;
    }

    Family owner()
    {
        return owner;
    }

    RegisteredBuffer memory()
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
            return new PooledDataBuffer(owner, type, 0, memory(), true);
        }
        return new PooledDataBuffer(
            owner, type, sliceCount, memory().slice(offset * type.size(), sliceCount * type.size()), true);
    }

    @Override
    public void close()
    {
        if (!closed && !isSlice)
        {
            memory.close();
        }
        closed = true;
    }
}
