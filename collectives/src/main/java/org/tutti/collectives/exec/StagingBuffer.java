/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

/**
 * The registered memory that stages calls on unregistered memory. It is allocated on first use and grows up to {@link
 * #MAX_LENGTH}, or to what a call needs that is staged as a whole rather than in segments. Not thread-safe.
 */
public final class StagingBuffer
{
    /** The maximum length of a segment, in bytes. */
    public static final long MAX_LENGTH = 8L << 20;
    private static final long MIN_LENGTH = 64L << 10;

    private final RegisteredMemoryPool pool;
    private RegisteredBuffer buffer;

    /** Creates a staging buffer without memory. */
    public StagingBuffer(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** Returns memory of at least the given length in bytes; invalidates memory returned before. */
    public RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            close();
            buffer = pool.allocate(length <= MIN_LENGTH ? MIN_LENGTH : Math.max(length, MAX_LENGTH));
        }
        return buffer;
    }

    /** Frees the memory. */
    public void close()
    {
        if (buffer != null)
        {
            buffer.close();
            buffer = null;
        }
    }
}
