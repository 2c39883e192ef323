/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.lightgbm;

import org.tutti.collectives.Communicator;
import org.tutti.collectives.DataBuffer;
import org.tutti.collectives.DataType;

import java.util.Arrays;

/**
 * Registered memory that grows to the longest exchange so far, and recent parts of it: exchanges repeat a few shapes,
 * for which no objects are created again.
 */
final class ExchangeBuffer implements AutoCloseable
{
    private static final long LEAST_BYTES = 1 << 16;
    private static final int SLOTS = 64;

    private final Communicator communicator;
    private final DataBuffer[] parts = new DataBuffer[SLOTS];
    private final long[] offsets = new long[SLOTS];
    private DataBuffer buffer;
    private long address;

    ExchangeBuffer(final Communicator communicator)
    {
        this.communicator = communicator;
    }

    /**
     * Makes the memory long enough; what it contained is lost.
     *
     * @param bytes number of bytes, from 0.
     * @return the memory.
     */
    DataBuffer ofAtLeast(final long bytes)
    {
        if (buffer == null || buffer.count() < bytes)
        {
            // Before the longer memory is allocated: /dev/shm may be small.
            close();
            buffer = communicator.allocate(
                DataType.INT8, Math.max(LEAST_BYTES, Long.highestOneBit(Math.max(1, bytes - 1)) << 1));
            address = buffer.segment().address();
        }
        return buffer;
    }

    /**
     * Returns a part of the memory.
     *
     * @param offset first byte.
     * @param length number of bytes, from 0.
     * @return part.
     */
    DataBuffer part(final long offset, final long length)
    {
        final int slot = (int)(((offset * 31 + length) * 0x9E3779B97F4A7C15L) >>> 58);
        final DataBuffer recent = parts[slot];
        if (recent != null && offsets[slot] == offset && recent.count() == length)
        {
            return recent;
        }
        final DataBuffer part = buffer.slice(offset, length);
        parts[slot] = part;
        offsets[slot] = offset;
        return part;
    }

    /**
     * Returns the address of the first byte.
     *
     * @return address, aligned to 64 bytes.
     */
    long address()
    {
        return address;
    }

    /** Frees the memory. */
    @Override
    public void close()
    {
        if (buffer != null)
        {
            Arrays.fill(parts, null);
            buffer.close();
            buffer = null;
        }
    }
}
