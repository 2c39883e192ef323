/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

/**
 * Flyweight over a send request, in the layout of {@code struct ibv_send_wr}: written once, modified in place, posted
 * by its {@link #nativeAddress()}.
 * <pre>
 *  offset  bytes  field
 *       0      8  wr_id
 *       8      8  next            address of the next request, 0 at the end
 *      16      8  sg_list         address of the first scatter/gather entry
 *      24      4  num_sge
 *      28      4  opcode          {@link SendOpcode}
 *      32      4  send_flags      {@link SendFlags}
 *      36      4  imm_data        in network byte order
 *      40      8  wr.rdma.remote_addr    | wr.atomic.remote_addr  | wr.ud.ah
 *      48      4  wr.rdma.rkey           | wr.atomic.compare_add  | wr.ud.remote_qpn
 *      52      4                         |                        | wr.ud.remote_qkey
 *      56      8                         | wr.atomic.swap
 *      64      4                         | wr.atomic.rkey
 *     128         end
 * </pre>
 * Not thread-safe; allocates nothing.
 */
public final class SendWorkRequest
{
    /** Offset of {@code wr_id}, 8 bytes. */
    public static final int WR_ID_OFFSET = 0;
    /** Offset of {@code next}, 8 bytes. */
    public static final int NEXT_OFFSET = 8;
    /** Offset of {@code sg_list}, 8 bytes. */
    public static final int SG_LIST_OFFSET = 16;
    /** Offset of {@code num_sge}, 4 bytes. */
    public static final int NUM_SGE_OFFSET = 24;
    /** Offset of {@code opcode}, 4 bytes. */
    public static final int OPCODE_OFFSET = 28;
    /** Offset of {@code send_flags}, 4 bytes. */
    public static final int SEND_FLAGS_OFFSET = 32;
    /** Offset of {@code imm_data}, 4 bytes, network byte order. */
    public static final int IMM_DATA_OFFSET = 36;
    /** Offset of {@code wr.rdma.remote_addr} and {@code wr.atomic.remote_addr}, 8 bytes. */
    public static final int REMOTE_ADDRESS_OFFSET = 40;
    /** Offset of {@code wr.rdma.rkey}, 4 bytes. */
    public static final int RDMA_RKEY_OFFSET = 48;
    /** Offset of {@code wr.atomic.compare_add}, 8 bytes. */
    public static final int ATOMIC_COMPARE_ADD_OFFSET = 48;
    /** Offset of {@code wr.atomic.swap}, 8 bytes. */
    public static final int ATOMIC_SWAP_OFFSET = 56;
    /** Offset of {@code wr.atomic.rkey}, 4 bytes. */
    public static final int ATOMIC_RKEY_OFFSET = 64;
    /** Offset of {@code wr.ud.ah}, 8 bytes. */
    public static final int UD_AH_OFFSET = 40;
    /** Offset of {@code wr.ud.remote_qpn}, 4 bytes. */
    public static final int UD_REMOTE_QPN_OFFSET = 48;
    /** Offset of {@code wr.ud.remote_qkey}, 4 bytes. */
    public static final int UD_REMOTE_QKEY_OFFSET = 52;
    /** {@code sizeof(struct ibv_send_wr)}. */
    public static final int SIZE = 128;

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
    public SendWorkRequest wrap(final MutableDirectBuffer buffer, final int offset)
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
    public SendWorkRequest clear()
    {
        buffer.setMemory(offset, SIZE, (byte)0);
        return this;
    }

    /**
     * The native address of the request, for {@link QueuePair#postSend}.
     *
     * @return a virtual address.
     */
    public long nativeAddress()
    {
        return buffer.addressOffset() + offset;
    }

    public SendWorkRequest wrId(final long wrId)
    {
        buffer.putLong(offset + WR_ID_OFFSET, wrId, ORDER);
        return this;
    }

    public long wrId()
    {
        return buffer.getLong(offset + WR_ID_OFFSET, ORDER);
    }

    public SendWorkRequest next(final long nextAddress)
    {
        buffer.putLong(offset + NEXT_OFFSET, nextAddress, ORDER);
        return this;
    }

    public long next()
    {
        return buffer.getLong(offset + NEXT_OFFSET, ORDER);
    }

    /**
     * Sets the gather list.
     *
     * @param address address of the first {@link ScatterGatherEntry}, 0 for none.
     * @param count   number of entries, 0 for an empty message.
     * @return this.
     */
    public SendWorkRequest sgList(final long address, final int count)
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

    public SendWorkRequest opcode(final int opcode)
    {
        buffer.putInt(offset + OPCODE_OFFSET, opcode, ORDER);
        return this;
    }

    public int opcode()
    {
        return buffer.getInt(offset + OPCODE_OFFSET, ORDER);
    }

    public SendWorkRequest sendFlags(final int flags)
    {
        buffer.putInt(offset + SEND_FLAGS_OFFSET, flags, ORDER);
        return this;
    }

    public int sendFlags()
    {
        return buffer.getInt(offset + SEND_FLAGS_OFFSET, ORDER);
    }

    /**
     * Sets the immediate data.
     *
     * @param value value in host order; stored in network order, as verbs require.
     * @return this.
     */
    public SendWorkRequest immData(final int value)
    {
        buffer.putInt(offset + IMM_DATA_OFFSET, value, ByteOrder.BIG_ENDIAN);
        return this;
    }

    public int immData()
    {
        return buffer.getInt(offset + IMM_DATA_OFFSET, ByteOrder.BIG_ENDIAN);
    }

    /**
     * Sets the target of an RDMA read or write.
     *
     * @param remoteAddress address in the peer.
     * @param rkey          remote key of the peer's region.
     * @return this.
     */
    public SendWorkRequest rdma(final long remoteAddress, final int rkey)
    {
        buffer.putLong(offset + REMOTE_ADDRESS_OFFSET, remoteAddress, ORDER);
        buffer.putInt(offset + RDMA_RKEY_OFFSET, rkey, ORDER);
        return this;
    }

    public long remoteAddress()
    {
        return buffer.getLong(offset + REMOTE_ADDRESS_OFFSET, ORDER);
    }

    public int rdmaRkey()
    {
        return buffer.getInt(offset + RDMA_RKEY_OFFSET, ORDER);
    }

    /**
     * Sets the target and operands of an atomic.
     *
     * @param remoteAddress address in the peer, divisible by 8.
     * @param rkey          remote key of the peer's region.
     * @param compareAdd    value to compare with, or to add.
     * @param swap          value to store if equal; ignored by fetch-and-add.
     * @return this.
     */
    public SendWorkRequest atomic(
        final long remoteAddress, final int rkey, final long compareAdd, final long swap)
    {
        buffer.putLong(offset + REMOTE_ADDRESS_OFFSET, remoteAddress, ORDER);
        buffer.putLong(offset + ATOMIC_COMPARE_ADD_OFFSET, compareAdd, ORDER);
        buffer.putLong(offset + ATOMIC_SWAP_OFFSET, swap, ORDER);
        buffer.putInt(offset + ATOMIC_RKEY_OFFSET, rkey, ORDER);
        return this;
    }

    /**
     * Sets the destination of a datagram.
     *
     * @param addressHandle {@link AddressHandle#handle()}.
     * @param remoteQpNum   the peer's queue pair number.
     * @param remoteQkey    the peer's Q_Key.
     * @return this.
     */
    public SendWorkRequest datagram(final long addressHandle, final int remoteQpNum, final int remoteQkey)
    {
        buffer.putLong(offset + UD_AH_OFFSET, addressHandle, ORDER);
        buffer.putInt(offset + UD_REMOTE_QPN_OFFSET, remoteQpNum, ORDER);
        buffer.putInt(offset + UD_REMOTE_QKEY_OFFSET, remoteQkey, ORDER);
        return this;
    }
}
