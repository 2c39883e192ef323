/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The operation of a send request ({@code ibv_wr_opcode}). */
public final class SendOpcode
{
    /** Writes the peer's memory. */
    public static final int RDMA_WRITE = 0;
    /** Writes the peer's memory, then consumes one of its receive requests to deliver immediate data. */
    public static final int RDMA_WRITE_WITH_IMM = 1;
    /** Sends a message to a receive request of the peer. */
    public static final int SEND = 2;
    /** Sends a message with immediate data. */
    public static final int SEND_WITH_IMM = 3;
    /** Reads the peer's memory. */
    public static final int RDMA_READ = 4;
    /** Compares 8 bytes of the peer's memory and swaps them if equal. */
    public static final int ATOMIC_CMP_AND_SWP = 5;
    /** Adds to 8 bytes of the peer's memory. */
    public static final int ATOMIC_FETCH_AND_ADD = 6;

    private SendOpcode()
    {
    }
}
