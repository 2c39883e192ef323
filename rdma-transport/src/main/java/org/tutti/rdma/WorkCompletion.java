/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Flyweight over a completion, in the layout of {@code struct ibv_wc}. If the status is not success, only the wr_id,
 * the status, the qp_num and the vendor error are valid: check the status first.
 * <pre>
 *  offset  bytes  field
 *       0      8  wr_id
 *       8      4  status           {@link WorkCompletionStatus}
 *      12      4  opcode           {@link CompletionOpcode}
 *      16      4  vendor_err
 *      20      4  byte_len
 *      24      4  imm_data         in network byte order
 *      28      4  qp_num
 *      32      4  src_qp
 *      36      4  wc_flags         {@link CompletionFlags}
 *      40      2  pkey_index
 *      42      2  slid
 *      44      1  sl
 *      45      1  dlid_path_bits
 *      48         end
 * </pre>
 * Not thread-safe; allocates nothing.
 */
public final class WorkCompletion
{
    /** Offset of {@code wr_id}, 8 bytes. */
    public static final int WR_ID_OFFSET = 0;
    /** Offset of {@code status}, 4 bytes. */
    public static final int STATUS_OFFSET = 8;
    /** Offset of {@code opcode}, 4 bytes. */
    public static final int OPCODE_OFFSET = 12;
    /** Offset of {@code vendor_err}, 4 bytes. */
    public static final int VENDOR_ERR_OFFSET = 16;
    /** Offset of {@code byte_len}, 4 bytes. */
    public static final int BYTE_LEN_OFFSET = 20;
    /** Offset of {@code imm_data}, 4 bytes, network byte order. */
    public static final int IMM_DATA_OFFSET = 24;
    /** Offset of {@code qp_num}, 4 bytes. */
    public static final int QP_NUM_OFFSET = 28;
    /** Offset of {@code src_qp}, 4 bytes. */
    public static final int SRC_QP_OFFSET = 32;
    /** Offset of {@code wc_flags}, 4 bytes. */
    public static final int WC_FLAGS_OFFSET = 36;
    /** Offset of {@code pkey_index}, 2 bytes. */
    public static final int PKEY_INDEX_OFFSET = 40;
    /** Offset of {@code slid}, 2 bytes. */
    public static final int SLID_OFFSET = 42;
    /** Offset of {@code sl}, 1 byte. */
    public static final int SL_OFFSET = 44;
    /** Offset of {@code dlid_path_bits}, 1 byte. */
    public static final int DLID_PATH_BITS_OFFSET = 45;
    /** {@code sizeof(struct ibv_wc)}. */
    public static final int SIZE = 48;

    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private DirectBuffer buffer;
    private int offset;

    /**
     * Wraps native memory.
     *
     * @param buffer buffer that holds the completion.
     * @param offset offset of the completion in the buffer, in bytes.
     * @return this.
     */
    public WorkCompletion wrap(final DirectBuffer buffer, final int offset)
    {
        buffer.boundsCheck(offset, SIZE);
        this.buffer = buffer;
        this.offset = offset;
        return this;
    }

    public long wrId()
    {
        return buffer.getLong(offset + WR_ID_OFFSET, ORDER);
    }

    /**
     * Whether the request succeeded.
     *
     * @return true if the status is success.
     */
    public boolean isSuccess()
    {
        return buffer.getInt(offset + STATUS_OFFSET, ORDER) == 0;
    }

    public WorkCompletionStatus status()
    {
        return WorkCompletionStatus.of(buffer.getInt(offset + STATUS_OFFSET, ORDER));
    }

    public int opcode()
    {
        return buffer.getInt(offset + OPCODE_OFFSET, ORDER);
    }

    public int vendorErr()
    {
        return buffer.getInt(offset + VENDOR_ERR_OFFSET, ORDER);
    }

    public int byteLength()
    {
        return buffer.getInt(offset + BYTE_LEN_OFFSET, ORDER);
    }

    /**
     * The immediate data.
     *
     * @return value in host order; valid if the flags contain {@link CompletionFlags#WITH_IMM}.
     */
    public int immData()
    {
        return buffer.getInt(offset + IMM_DATA_OFFSET, ByteOrder.BIG_ENDIAN);
    }

    public int qpNum()
    {
        return buffer.getInt(offset + QP_NUM_OFFSET, ORDER);
    }

    public int srcQp()
    {
        return buffer.getInt(offset + SRC_QP_OFFSET, ORDER);
    }

    public int wcFlags()
    {
        return buffer.getInt(offset + WC_FLAGS_OFFSET, ORDER);
    }

    public int pkeyIndex()
    {
        return buffer.getShort(offset + PKEY_INDEX_OFFSET, ORDER) & 0xFFFF;
    }

    public int slid()
    {
        return buffer.getShort(offset + SLID_OFFSET, ORDER) & 0xFFFF;
    }

    public int serviceLevel()
    {
        return buffer.getByte(offset + SL_OFFSET) & 0xFF;
    }

    public int dlidPathBits()
    {
        return buffer.getByte(offset + DLID_PATH_BITS_OFFSET) & 0xFF;
    }
}
