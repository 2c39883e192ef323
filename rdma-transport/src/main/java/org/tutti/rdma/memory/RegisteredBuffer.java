/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.memory;

import org.agrona.concurrent.UnsafeBuffer;

import java.lang.foreign.MemorySegment;

/**
 * Registered memory from a {@link RegisteredMemoryPool}: where it is, the keys that open it, and views of it.
 * <p>
 * Closing gives it back to the pool; from then on the accessors throw and {@link #buffer()}'s bounds checks fail.
 * Segments and windows obtained before cannot be called back: touching them reads or writes what is another's by
 * now. The memory may be closed by any thread; what is in it is for its users to order.
 */
public final class RegisteredBuffer implements AutoCloseable
{
    private final RegisteredMemoryPool pool;
    private final PoolRegion region;
    private final RegisteredBuffer whole;
    private final long offset;
    private final long length;
    private final UnsafeBuffer view;
    private volatile boolean closed;

    RegisteredBuffer(
        final RegisteredMemoryPool pool, final PoolRegion region, final long offset, final long length)
    {
        this(pool, region, null, offset, length);
    }

    private RegisteredBuffer(
        final RegisteredMemoryPool pool,
        final PoolRegion region,
        final RegisteredBuffer whole,
        final long offset,
        final long length)
    {
        this.pool = pool;
        this.region = region;
        this.whole = whole;
        this.offset = offset;
        this.length = length;
        this.view = length <= Integer.MAX_VALUE ? new UnsafeBuffer(region.address() + offset, (int)length) : null;
    }

    /**
     * The first byte.
     *
     * @return a virtual address of this process.
     */
    public long address()
    {
        requireOpen();
        return region.address() + offset;
    }

    /**
     * How long it is.
     *
     * @return in bytes, as asked for.
     */
    public long length()
    {
        return length;
    }

    /**
     * The key for scatter/gather entries.
     *
     * @return 32 opaque bits.
     */
    public int lkey()
    {
        return lkey(0);
    }

    /**
     * The same for a queue pair of one of the pool's domains.
     *
     * @param domain its place in the pool's list, from 0.
     * @return 32 opaque bits.
     */
    public int lkey(final int domain)
    {
        requireOpen();
        return region.memoryRegion(domain).lkey();
    }

    /**
     * The key for peers, who may read, write and do atomics. It opens the pool's whole region, not this buffer only.
     *
     * @return 32 opaque bits.
     */
    public int rkey()
    {
        return rkey(0);
    }

    /**
     * The same for peers that are connected with a queue pair of one of the pool's domains.
     *
     * @param domain its place in the pool's list, from 0.
     * @return 32 opaque bits.
     */
    public int rkey(final int domain)
    {
        requireOpen();
        return region.memoryRegion(domain).rkey();
    }

    /**
     * The memory as a segment of the global scope, of any length.
     *
     * @return {@link #length()} bytes.
     */
    public MemorySegment segment()
    {
        return MemorySegment.ofAddress(address()).reinterpret(length);
    }

    /**
     * The memory as an Agrona buffer: always the same object.
     *
     * @return {@link #length()} bytes.
     * @throws UnsupportedOperationException if it is longer than Agrona's buffers, 2^31 - 1 bytes.
     */
    public UnsafeBuffer buffer()
    {
        requireOpen();
        if (view == null)
        {
            throw new UnsupportedOperationException("length=" + length + " exceeds " + Integer.MAX_VALUE +
                ", the most that one Agrona buffer holds; use buffer(offset, length) or segment()");
        }
        return view;
    }

    /**
     * A window as an Agrona buffer.
     *
     * @param windowOffset window offset from the first byte.
     * @param windowLength window length in bytes.
     * @return a new object.
     * @throws IndexOutOfBoundsException if the window is not inside.
     */
    public UnsafeBuffer buffer(final long windowOffset, final int windowLength)
    {
        requireInside(windowOffset, windowLength);
        return new UnsafeBuffer(address() + windowOffset, windowLength);
    }

    /**
     * A part of it, with the same keys. The memory stays this buffer's: closing the slice ends the slice only, and
     * closing this buffer ends its slices.
     *
     * @param sliceOffset slice offset from the first byte.
     * @param sliceLength slice length in bytes.
     * @return a view.
     * @throws IndexOutOfBoundsException if the slice is not inside.
     */
    public RegisteredBuffer slice(final long sliceOffset, final long sliceLength)
    {
        requireOpen();
        requireInside(sliceOffset, sliceLength);
        return new RegisteredBuffer(pool, region, this, offset + sliceOffset, sliceLength);
    }

    /**
     * Whether a range is in one of the regions of the pool that this buffer is from, given out or not. Takes no lock
     * and allocates nothing.
     *
     * @param address     address of the first byte, any number.
     * @param rangeLength range length in bytes, at least 0.
     * @return false also after the pool was closed.
     */
    public boolean isInPool(final long address, final long rangeLength)
    {
        return pool.contains(address, rangeLength);
    }

    /**
     * Whether it, what it is a slice of, or its pool is closed.
     *
     * @return true if the memory must not be touched any more.
     */
    public boolean isClosed()
    {
        return closed || (whole == null ? pool.isClosed() : whole.isClosed());
    }

    /** Gives the memory back. No request that uses it may be outstanding. Idempotent. */
    @Override
    public void close()
    {
        synchronized (this)
        {
            if (closed)
            {
                return;
            }
            closed = true;
        }

        if (view != null)
        {
            view.wrap(view.addressOffset(), 0);
        }
        if (whole == null)
        {
            pool.free(region, offset);
        }
    }

    @Override
    public String toString()
    {
        return "RegisteredBuffer{address=0x" + Long.toHexString(region.address() + offset) + ", length=" + length +
            (isClosed() ? ", closed}" : "}");
    }

    private void requireOpen()
    {
        if (isClosed())
        {
            throw new IllegalStateException("the registered buffer, or its pool, is closed");
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
