/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The operation of a completed request ({@code ibv_wc_opcode}); valid only when the status is success. */
public final class CompletionOpcode
{
    /** A send. */
    public static final int SEND = 0;
    /** An RDMA write. */
    public static final int RDMA_WRITE = 1;
    /** An RDMA read. */
    public static final int RDMA_READ = 2;
    /** A compare and swap. */
    public static final int COMP_SWAP = 3;
    /** A fetch and add. */
    public static final int FETCH_ADD = 4;
    /** A receive; this bit is set in the opcodes of all receives. */
    public static final int RECV = 1 << 7;
    /** A receive consumed by an RDMA write with immediate. */
    public static final int RECV_RDMA_WITH_IMM = RECV + 1;

    private CompletionOpcode()
    {
    }
}
