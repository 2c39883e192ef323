/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** The state of a queue pair ({@code ibv_qp_state}); the ordinal is the native value. */
public enum QueuePairState
{
    /** New: nothing can be posted. */
    RESET,
    /** Receives can be posted; none is processed. */
    INIT,
    /** Ready to receive. */
    RTR,
    /** Ready to send. */
    RTS,
    /** Send queue drain: started requests finish, no others start. */
    SQD,
    /** Send queue error (UC and UD only). */
    SQE,
    /** Error: all requests are flushed. */
    ERR
}
