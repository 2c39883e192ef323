/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.collectives.exec;

import org.agrona.BitUtil;
import org.tutti.rdma.memory.RegisteredBuffer;
import org.tutti.rdma.memory.RegisteredMemoryPool;

/**
 * The registered memory that stages calls on unregistered memory: a buffer for calls that are staged as a whole, which
 * grows to the longest of them, and a ring of slots for the segments of longer calls. Both are allocated on first use.
 * Not thread-safe.
 */
public final class StagingBuffer
{
    /** The maximum length of a segment of a message, in bytes. */
    public static final long MAX_LENGTH = 8L << 20;
    /** The number of slots of the ring. */
    public static final int SLOTS = 4;
    private static final long MIN_LENGTH = 64L << 10;
    private static final long WORD_LENGTH = 64;

    private final RegisteredMemoryPool pool;
    private final RegisteredBuffer[] slots = new RegisteredBuffer[SLOTS];
    private RegisteredBuffer buffer;
    private RegisteredBuffer ring;
    private RegisteredBuffer word;

    /** Creates a staging buffer without memory. */
    public StagingBuffer(final RegisteredMemoryPool pool)
    {
        this.pool = pool;
    }

    /** Returns memory of at least the given length in bytes; invalidates memory returned before by this method. */
    public RegisteredBuffer buffer(final long length)
    {
        if (buffer == null || buffer.length() < length)
        {
            free(buffer);
            buffer = null;
            buffer = pool.allocate(Math.max(MIN_LENGTH,
                length <= MAX_LENGTH ? BitUtil.findNextPositivePowerOfTwo((int)length) : length));
        }
        return buffer;
    }

    /**
     * Returns a slot of the ring. A length that exceeds that of the slots invalidates all slots returned before.
     *
     * @param index  index of the slot, from 0 to {@code SLOTS - 1}.
     * @param length minimum length of the slot in bytes.
     */
    public RegisteredBuffer slot(final int index, final long length)
    {
        if (ring == null || slots[0].length() < length)
        {
            free(ring);
            ring = null;
            final long slot = BitUtil.align(length, RegisteredMemoryPool.PAGE_SIZE);
            ring = pool.allocate(SLOTS * slot);
            for (int i = 0; i < SLOTS; i++)
            {
                slots[i] = ring.slice(i * slot, slot);
            }
        }
        return slots[index];
    }

    /** Returns memory for a word that ranks exchange. */
    public RegisteredBuffer word()
    {
        if (word == null)
        {
            word = pool.allocate(WORD_LENGTH);
        }
        return word;
    }

    /** Frees the memory. */
    public void close()
    {
        free(buffer);
        free(ring);
        free(word);
        buffer = null;
        ring = null;
        word = null;
    }

    private static void free(final RegisteredBuffer memory)
    {
        if (memory != null)
        {
            memory.close();
        }
    }
}
