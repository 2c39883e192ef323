/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** Access rights to a memory region, or through a queue pair ({@code ibv_access_flags}); local read is implied. */
public final class AccessFlags
{
    /** Receives, reads and atomics of this process may write the memory. */
    public static final int LOCAL_WRITE = 1;
    /** The peer may write the memory; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** The peer may read the memory. */
    public static final int REMOTE_READ = 1 << 2;
    /** The peer may run atomics on the memory; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Requests, local and remote, address the region by offset from its start, which must be page-aligned. */
    public static final int ZERO_BASED = 1 << 5;
    /** Pages are faulted in on access instead of being pinned ({@code IBV_ACCESS_ON_DEMAND}). */
    public static final int ON_DEMAND = 1 << 6;
    /** The memory consists of huge pages. */
    public static final int HUGE_PAGES = 1 << 7;
    /** The adapter's writes may become visible out of order; a hint that devices may ignore. */
    public static final int RELAXED_ORDERING = 1 << 20;

    /** Local write and all remote rights. */
    public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private AccessFlags()
    {
    }
}
