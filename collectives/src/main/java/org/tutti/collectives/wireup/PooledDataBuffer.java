/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.wireup;

import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;
import org.tutti.collectives.util.Memory;
import org.tutti.rdma.memory.RegisteredBuffer;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** A buffer in the registered memory that the communicators of a rank share, or in memory of the caller. */
public final class PooledDataBuffer implements DataBuffer
{
    private final CollectiveContext owner;
    private final DataType type;
    private final long count;
    /** Memory of the caller, or null. */
    private final UserMemory user;
    /** Offset in the memory of the caller, in bytes. */
    private final long offset;
    /** The number of requests that use the memory, shared with slices. */
    private final AtomicInteger uses;
    private final boolean isSlice;
    /** Null for staged memory of the caller, until a request needs it. */
    private RegisteredBuffer memory;
    private boolean closed;

    public PooledDataBuffer(
        final CollectiveContext owner, final DataType type, final long count, final RegisteredBuffer memory)
    {
        this(owner, type, count, memory, null, 0, new AtomicInteger(), false);
    }

    /**
     * Creates a buffer in memory of the caller.
     *
     * @param segment native memory that is accessible to all threads: a whole number of elements.
     */
    public PooledDataBuffer(final CollectiveContext owner, final DataType type, final MemorySegment segment)
    {
        this(owner, type, segment.byteSize() / type.size(), null,
            new UserMemory(segment, owner.pool(), owner.reachesAllMemory()), 0, new AtomicInteger(), false);
    }

    private PooledDataBuffer(
        final CollectiveContext owner, final DataType type, final long count, final RegisteredBuffer memory,
        final UserMemory user, final long offset, final AtomicInteger uses, final boolean isSlice)
    {
        this.owner = owner;
        this.type = type;
        this.count = count;
        this.memory = memory;
        this.user = user;
        this.offset = offset;
        this.uses = uses;
        this.isSlice = isSlice;
    }

    public CollectiveContext owner()
    {
        return owner;
    }

    /**
     * Returns the registered memory of the elements. If the buffer is {@linkplain #isStaged staged}, this is a copy,
     * which {@link #copyIn} and {@link #copyOut} update.
     *
     * @throws IllegalStateException if the buffer is closed, or the caller has freed its memory.
     */
    public RegisteredBuffer memory()
    {
        if (closed || user != null)
        {
            requireOpen();
            if (memory == null)
            {
                memory = user.registered().slice(offset, count * type.size());
            }
        }
        return memory;
    }

    /** Throws if the buffer is closed, or the caller has freed its memory. */
    public void requireOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("the buffer is closed: " +
                (user == null ? "allocate another one" : "register its memory again"));
        }
        if (user != null)
        {
            user.requireOpen();
        }
    }

    /** Throws if the caller has freed its memory. */
    public void requireAlive()
    {
        if (user != null)
        {
            user.requireAlive();
        }
    }

    /** Returns whether the elements are in memory of the caller that peers cannot access. */
    public boolean isStaged()
    {
        return user != null && user.isStaged();
    }

    /** Returns whether the elements are in memory of the caller, who may free it at any time. */
    public boolean isUsers()
    {
        return user != null;
    }

    /** Returns the address of the elements. */
    public long address()
    {
        return isStaged() ? user.segment().address() + offset : memory().address();
    }

    /** Copies the elements of a staged buffer into {@link #memory}. */
    public void copyIn()
    {
        if (isStaged())
        {
            Memory.copy(user.segment(), offset, Memory.ALL, memory().address(), count * type.size());
        }
    }

    /** Copies the elements of a staged buffer out of {@link #memory}. */
    public void copyOut()
    {
        if (isStaged())
        {
            Memory.copy(Memory.ALL, memory().address(), user.segment(), offset, count * type.size());
        }
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
        if (user == null)
        {
            return memory().segment().asSlice(0, count * type.size());
        }
        requireOpen();
        return user.segment().asSlice(offset, count * type.size());
    }

    @Override
    public DataBuffer slice(final long from, final long sliceCount)
    {
        Objects.checkFromIndexSize(from, sliceCount, count);
        final long start = from * type.size();
        if (user != null)
        {
            requireOpen();
            return new PooledDataBuffer(owner, type, sliceCount, null, user, offset + start, uses, true);
        }
        return new PooledDataBuffer(owner, type, sliceCount,
            sliceCount == 0 ? memory() : memory().slice(start, sliceCount * type.size()), null, 0, uses, true);
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
            if (user == null)
            {
                memory.close();
            }
            else
            {
                user.close();
            }
        }
        closed = true;
    }
}
