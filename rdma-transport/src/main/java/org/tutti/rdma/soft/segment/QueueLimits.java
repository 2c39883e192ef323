/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.soft.segment;

/** Limits of queues and messages of shared memory. */
public final class QueueLimits
{
    /** Maximum requests in a send queue or receive queue. */
    public static final int MAX_WORK_REQUESTS = 1 << 15;
    /** Maximum entries of a scatter or gather list. */
    public static final int MAX_SGE = 32;
    /** Maximum inline data of a request, in bytes. */
    public static final int MAX_INLINE_DATA = 1024;
    /** Maximum completions in a completion queue. */
    public static final int MAX_CQE = 1 << 20;
    /** Maximum outstanding reads and atomics of a queue pair. */
    public static final int MAX_RD_ATOMIC = 128;
    /** Maximum shared receive queues of a context. */
    public static final int MAX_SHARED_QUEUES = 1 << 16;
    /** Maximum length of a datagram, in bytes. */
    public static final int MTU = 4096;

    private QueueLimits()
    {
    }
}
