/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

/**
 * Registered memory through which calls on other memory go. It is allocated when it is first needed and grows up to
 * {@link #MAX_LENGTH}, or as long as a call needs that has one segment. Not thread-safe.
 */
public final class StagingBuffer
{
    /** The longest segment, in bytes. */
    public static final long MAX_LENGTH = 8L << 20;
    private static final long MIN_LENGTH = 64L << 10;

    private final RegisteredMemoryPool pool;
    private RegisteredBuffer buffer;

    /** One of no memory so far. */
    public StagingBuffer(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** At least so many bytes; what was given before is gone. */
    public RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            close();
            buffer = pool.allocate(length <= MIN_LENGTH ? MIN_LENGTH : Math.max(length, MAX_LENGTH));
        }
        return buffer;
    }

    /** Gives the memory back. */
    public void close()
    {
        if (buffer != null)
        {
            buffer.close();
            buffer = null;
        }
    }
}
