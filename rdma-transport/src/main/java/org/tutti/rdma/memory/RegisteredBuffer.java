/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.agrona.concurrent.UnsafeBuffer;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory of a {@link RegisteredMemoryPool}, or of its user: its address, its keys, and views of it.
 * <p>
 * Closing returns the memory to the pool, or ends its registration; from then on the accessors of address, keys and
 * views throw, and so does each access through a {@link #segment()} obtained earlier, in any thread. Agrona buffers
 * have no such protection: the bounds checks of a {@link #buffer()} obtained earlier fail, but a thread that has passed
 * its check, a JVM without checks ({@code agrona.disable.bounds.checks}), and windows may still access the memory. They
 * then read or write another owner's memory, or crash the JVM if it is unmapped. Any thread may close the buffer; users
 * synchronize access to its contents.
 */
public final class RegisteredBuffer implements AutoCloseable
{
    private final RegisteredMemoryPool pool;
    private final RegisteredRange region;
    private final RegisteredBuffer whole;
    /** Gives the memory back, or ends its registration; null for a slice. */
    private final Runnable release;
    /** The memory as a segment: the user's own; else, and for a slice, null until it is needed. */
    private volatile MemorySegment segment;
    private final long offset;
    private final long address;
    private final long length;
    private final UnsafeBuffer view;
    private volatile boolean closed;

    RegisteredBuffer(
        final RegisteredMemoryPool pool, final RegisteredRange region, final long offset, final long length,
        final Runnable release)
    {
        this(pool, region, null, offset, length, release);
    }

    /** Creates a buffer on memory of the user. */
    RegisteredBuffer(
        final RegisteredMemoryPool pool, final UserRange range, final MemorySegment segment, final Runnable release)
    {
        this(pool, range, null, 0, segment.byteSize(), release);
        this.segment = segment;
    }

    private RegisteredBuffer(
        final RegisteredMemoryPool pool,
        final RegisteredRange region,
        final RegisteredBuffer whole,
        final long offset,
        final long length,
        final Runnable release)
    {
        this.release = release;
        this.pool = pool;
        this.region = region;
        this.whole = whole;
        this.offset = offset;
        this.address = region.address() + offset;
        this.length = length;
        this.view = length <= Integer.MAX_VALUE ? new UnsafeBuffer(address, (int)length) : null;
    }

    /**
     * The address of the first byte.
     *
     * @return a virtual address of this process.
     */
    public long address()
    {
        requireOpen();
        return address;
    }

    /**
     * The length of the buffer.
     *
     * @return length in bytes, as requested.
     */
    public long length()
    {
        return length;
    }

    /**
     * The key for scatter/gather entries of a queue pair of the pool's first domain.
     *
     * @return 32 opaque bits.
     */
    public int lkey()
    {
        return lkey(0);
    }

    /**
     * The key for scatter/gather entries of a queue pair of one of the pool's domains.
     *
     * @param domain index of the domain in the pool's list, from 0.
     * @return 32 opaque bits.
     */
    public int lkey(final int domain)
    {
        requireOpen();
        return region.lkey(domain);
    }

    /**
     * The key for peers connected to a queue pair of the pool's first domain. With this key, they may read, write and
     * run atomics on the pool's whole region, not only on this buffer.
     *
     * @return 32 opaque bits.
     */
    public int rkey()
    {
        return rkey(0);
    }

    /**
     * The key for peers connected to a queue pair of one of the pool's domains.
     *
     * @param domain index of the domain in the pool's list, from 0.
     * @return 32 opaque bits.
     */
    public int rkey(final int domain)
    {
        requireOpen();
        return region.rkey(domain);
    }

    /**
     * The memory as a segment that any thread may access. When the buffer or its pool is closed, each later access
     * throws an {@link IllegalStateException}. For a slice, this applies when the buffer that it is a slice of is
     * closed. Memory of the user is the user's segment, with the lifetime and the threads of its arena.
     *
     * @return a view of {@link #length()} bytes.
     */
    public MemorySegment segment()
    {
        requireOpen();
        final MemorySegment known = segment;
        return known != null ? known :
            whole != null ? whole.segment().asSlice(offset - whole.offset, length) : openSegment();
    }

    private synchronized MemorySegment openSegment()
    {
        requireOpen();
        if (segment == null)
        {
            segment = pool.segments().open(address, length);
        }
        return segment;
    }

    /**
     * The memory as an Agrona buffer; returns the same object every time. Its bounds checks fail once this buffer is
     * closed, but do not protect a thread that accesses it meanwhile: see the class. {@link #segment()} does.
     *
     * @return a view of {@link #length()} bytes.
     * @throws UnsupportedOperationException if it is longer than 2^31 - 1 bytes, the maximum of an Agrona buffer.
     */
    public UnsafeBuffer buffer()
    {
        requireOpen();
        if (view == null)
        {
            throw new UnsupportedOperationException("length=" + length + " exceeds " + Integer.MAX_VALUE +
                ", the maximum of an Agrona buffer; use buffer(offset, length) or segment()");
        }
        return view;
    }

    /**
     * A window as an Agrona buffer. It stays usable when this buffer is closed, and must not be used then: see the
     * class.
     *
     * @param windowOffset offset of the window from the first byte.
     * @param windowLength length of the window in bytes.
     * @return a new object.
     * @throws IndexOutOfBoundsException if the window is not inside the buffer.
     */
    public UnsafeBuffer buffer(final long windowOffset, final int windowLength)
    {
        requireInside(windowOffset, windowLength);
        return new UnsafeBuffer(address() + windowOffset, windowLength);
    }

    /**
     * A slice of the buffer, with the same keys. This buffer keeps ownership of the memory: closing a slice closes only
     * the slice, closing this buffer closes its slices too.
     *
     * @param sliceOffset offset of the slice from the first byte.
     * @param sliceLength length of the slice in bytes.
     * @return a view.
     * @throws IndexOutOfBoundsException if the slice is not inside the buffer.
     */
    public RegisteredBuffer slice(final long sliceOffset, final long sliceLength)
    {
        requireOpen();
        requireInside(sliceOffset, sliceLength);
        return new RegisteredBuffer(pool, region, this, offset + sliceOffset, sliceLength, null);
    }

    /**
     * Whether a range is inside one region of this buffer's pool, allocated or not. Takes no lock and allocates
     * nothing.
     *
     * @param address     address of the first byte, any value.
     * @param rangeLength length of the range in bytes, at least 0.
     * @return true if it is inside; false after the pool was closed.
     */
    public boolean isInPool(final long address, final long rangeLength)
    {
        return pool.contains(address, rangeLength);
    }

    /**
     * Whether this buffer, the buffer that it is a slice of, or its pool is closed.
     *
     * @return true if the memory must not be accessed any more.
     */
    public boolean isClosed()
    {
        return closed || (whole == null ? pool.isClosed() : whole.isClosed());
    }

    /**
     * Returns the memory to the pool. No request that uses it may be outstanding. Idempotent.
     *
     * @throws IllegalStateException if a native call or an I/O operation uses the {@link #segment()}; the buffer stays
     *                               open.
     */
    @Override
    public void close()
    {
        synchronized (this)
        {
            if (closed)
            {
                return;
            }
            if (segment != null)
            {
                pool.segments().close(segment);
            }
            closed = true;
        }

        if (view != null)
        {
            view.wrap(view.addressOffset(), 0);
        }
        if (release != null)
        {
            release.run();
        }
    }

    @Override
    public String toString()
    {
        return "RegisteredBuffer{address=0x" + Long.toHexString(address) + ", length=" + length +
            (isClosed() ? ", closed}" : "}");
    }

    private void requireOpen()
    {
        if (isClosed())
        {
            throw new IllegalStateException("the registered buffer or its pool is closed");
        }
    }

    private void requireInside(final long from, final long size)
    {
        if (from < 0 || size < 0 || from > length - size)
        {
            throw new IndexOutOfBoundsException("offset=" + from + " length=" + size +
                " is not inside the buffer's length=" + length);
        }
    }
}
