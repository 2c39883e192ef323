/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

import org.tutti.rdma.WorkCompletion;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a receive's completion tells of its message. Mutable, reused by its one thread at a time. */
public final class Delivery
{
    /** Of {@code ibv_wc_opcode}. */
    public int opcode;
    /** In bytes. */
    public int length;
    /** Of {@code ibv_wc_flags}. */
    public int flags;
    /** Immediate data as it lies in memory, in network order. */
    public int imm;
    /** The last 8 bytes of {@code ibv_wc} as they lie in memory: a datagram's P_Key index, source LID and level. */
    public long path;
    /** The sender's queue pair number. */
    public int sourceQpNum;
    /** Whether the sender asked for a solicited event. */
    public boolean isSolicited;

    /**
     * The path of a datagram with the first P_Key.
     *
     * @param sourceLid    16 bits.
     * @param serviceLevel 4 bits.
     * @return as {@link #path}.
     */
    public static long path(final int sourceLid, final int serviceLevel)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putShort(WorkCompletion.SLID_OFFSET - WorkCompletion.PKEY_INDEX_OFFSET, (short)sourceLid);
        bytes.put(WorkCompletion.SL_OFFSET - WorkCompletion.PKEY_INDEX_OFFSET, (byte)serviceLevel);
        return bytes.getLong(0);
    }
}
