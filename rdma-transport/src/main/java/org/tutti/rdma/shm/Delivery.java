/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm;

/** What a receive's completion tells of its message. Mutable, reused by its one thread at a time. */
final class Delivery
{
    /** Of {@code ibv_wc_opcode}. */
    int opcode;
    /** In bytes. */
    int length;
    /** Of {@code ibv_wc_flags}. */
    int flags;
    /** Immediate data as it lies in memory, in network order. */
    int imm;
    /** The sender's queue pair number. */
    int sourceQpNum;
    /** Whether the sender asked for a solicited event. */
    boolean isSolicited;
}
