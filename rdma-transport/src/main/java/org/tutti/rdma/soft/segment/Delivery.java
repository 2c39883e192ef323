/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

import org.tutti.rdma.WorkCompletion;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Describes the message that completes a receive. Mutable; reused by one thread at a time. */
public final class Delivery
{
    /** A value of {@code ibv_wc_opcode}. */
    public int opcode;
    /** Length of the message in bytes. */
    public int length;
    /** A sum of {@code ibv_wc_flags}. */
    public int flags;
    /** Immediate data in network order. */
    public int imm;
    /** The last 8 bytes of {@code ibv_wc} in memory order: a datagram's P_Key index, source LID and service level. */
    public long path;
    /** The sender's queue pair number. */
    public int sourceQpNum;
    /** Whether the sender asked for a solicited event. */
    public boolean isSolicited;

    /**
     * Encodes the path of a datagram; the P_Key index is 0.
     *
     * @param sourceLid    source LID, 16 bits.
     * @param serviceLevel service level, 4 bits.
     * @return a value for {@link #path}.
     */
    public static long path(final int sourceLid, final int serviceLevel)
    {
        final ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        bytes.putShort(WorkCompletion.SLID_OFFSET - WorkCompletion.PKEY_INDEX_OFFSET, (short)sourceLid);
        bytes.put(WorkCompletion.SL_OFFSET - WorkCompletion.PKEY_INDEX_OFFSET, (byte)serviceLevel);
        return bytes.getLong(0);
    }
}
