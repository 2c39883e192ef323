/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma.shm.segment;

/** What queues and messages of shared memory are limited to. */
public final class QueueLimits
{
    /** Requests that a send queue or a receive queue holds. */
    public static final int MAX_WORK_REQUESTS = 1 << 15;
    /** Entries of a scatter or gather list. */
    public static final int MAX_SGE = 32;
    /** Bytes that a request carries inline. */
    public static final int MAX_INLINE_DATA = 1024;
    /** Completions that a completion queue holds. */
    public static final int MAX_CQE = 1 << 20;
    /** Reads and atomics that a queue pair has outstanding. */
    public static final int MAX_RD_ATOMIC = 128;
    /** Shared receive queues of a context. */
    public static final int MAX_SHARED_QUEUES = 1 << 16;
    /** Bytes of the longest datagram. */
    public static final int MTU = 4096;

    private QueueLimits()
    {
    }
}
