/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * Flyweight over one entry of a scatter/gather list, in the layout of {@code struct ibv_sge}.
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                            address                            |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                            length                             |
 *  +---------------------------------------------------------------+
 *  |                             lkey                              |
 *  +---------------------------------------------------------------+
 * </pre>
 * Not thread-safe; allocates nothing.
 */
public final class ScatterGatherEntry
{
    /** Offset of {@code addr}, 8 bytes. */
    public static final int ADDRESS_OFFSET = 0;
    /** Offset of {@code length}, 4 bytes. */
    public static final int LENGTH_OFFSET = 8;
    /** Offset of {@code lkey}, 4 bytes. */
    public static final int LKEY_OFFSET = 12;
    /** {@code sizeof(struct ibv_sge)}. */
    public static final int SIZE = 16;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private MutableDirectBuffer buffer;
    private int offset;

    /**
     * Wraps native memory.
     *
     * @param buffer off-heap buffer that holds the entry.
     * @param offset offset of the entry in the buffer, in bytes.
     * @return this.
     * @throws IllegalArgumentException if the buffer wraps an array, which has no native address.
     */
    public ScatterGatherEntry wrap(final MutableDirectBuffer buffer, final int offset)
    {
        NativeMemory.check(buffer);
        buffer.boundsCheck(offset, SIZE);
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /**
     * Sets all three fields.
     *
     * @param address address of the first byte.
     * @param length  length in bytes, from 0 to 2^31 - 1.
     * @param lkey    local key of the region that covers the bytes; ignored for inline data.
     * @return this.
     */
    public ScatterGatherEntry set(final long address, final int length, final int lkey)
    {
        buffer.putLong(offset + ADDRESS_OFFSET, address, ORDER);
        buffer.putInt(offset + LENGTH_OFFSET, length, ORDER);
        buffer.putInt(offset + LKEY_OFFSET, lkey, ORDER);
        return this;
    }

    public long address()
    {
        return buffer.getLong(offset + ADDRESS_OFFSET, ORDER);
    }

    public int length()
    {
        return buffer.getInt(offset + LENGTH_OFFSET, ORDER);
    }

    public int lkey()
    {
        return buffer.getInt(offset + LKEY_OFFSET, ORDER);
    }
}
