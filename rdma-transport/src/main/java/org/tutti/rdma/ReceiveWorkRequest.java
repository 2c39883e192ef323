/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * Flyweight over a receive request, in the layout of {@code struct ibv_recv_wr}.
 * <pre>
 *  offset  bytes  field
 *       0      8  wr_id
 *       8      8  next      address of the next request, 0 at the end
 *      16      8  sg_list   address of the first scatter/gather entry
 *      24      4  num_sge
 *      32         end
 * </pre>
 * Not thread-safe; allocates nothing.
 */
public final class ReceiveWorkRequest
{
    /** Offset of {@code wr_id}, 8 bytes. */
    public static final int WR_ID_OFFSET = 0;
    /** Offset of {@code next}, 8 bytes. */
    public static final int NEXT_OFFSET = 8;
    /** Offset of {@code sg_list}, 8 bytes. */
    public static final int SG_LIST_OFFSET = 16;
    /** Offset of {@code num_sge}, 4 bytes. */
    public static final int NUM_SGE_OFFSET = 24;
    /** {@code sizeof(struct ibv_recv_wr)}. */
    public static final int SIZE = 32;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private MutableDirectBuffer buffer;
    private int offset;

    /**
     * Wraps native memory.
     *
     * @param buffer off-heap buffer that holds the request.
     * @param offset offset of the request in the buffer, in bytes.
     * @return this.
     * @throws IllegalArgumentException if the buffer wraps an array, which has no native address.
     */
    public ReceiveWorkRequest wrap(final MutableDirectBuffer buffer, final int offset)
    {
        NativeMemory.check(buffer);
        buffer.boundsCheck(offset, SIZE);
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    /**
     * Sets every byte to 0.
     *
     * @return this.
     */
    public ReceiveWorkRequest clear()
    {
        buffer.setMemory(offset, SIZE, (byte)0);
        return this;
    }

    /**
     * The native address of the request, for {@link QueuePair#postReceive}.
     *
     * @return a virtual address.
     */
    public long nativeAddress()
    {
        return buffer.addressOffset() + offset;
    }

    public ReceiveWorkRequest wrId(final long wrId)
    {
        buffer.putLong(offset + WR_ID_OFFSET, wrId, ORDER);
        return this;
    }

    public long wrId()
    {
        return buffer.getLong(offset + WR_ID_OFFSET, ORDER);
    }

    public ReceiveWorkRequest next(final long nextAddress)
    {
        buffer.putLong(offset + NEXT_OFFSET, nextAddress, ORDER);
        return this;
    }

    public long next()
    {
        return buffer.getLong(offset + NEXT_OFFSET, ORDER);
    }

    /**
     * Sets the scatter list.
     *
     * @param address address of the first {@link ScatterGatherEntry}, 0 for none.
     * @param count   number of entries.
     * @return this.
     */
    public ReceiveWorkRequest sgList(final long address, final int count)
    {
        buffer.putLong(offset + SG_LIST_OFFSET, address, ORDER);
        buffer.putInt(offset + NUM_SGE_OFFSET, count, ORDER);
        return this;
    }

    public long sgListAddress()
    {
        return buffer.getLong(offset + SG_LIST_OFFSET, ORDER);
    }

    public int numSge()
    {
        return buffer.getInt(offset + NUM_SGE_OFFSET, ORDER);
    }
}
