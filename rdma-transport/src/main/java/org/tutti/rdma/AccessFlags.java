/*
 * Copyright 2026 The Tutti Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package org.tutti.rdma;

/** What may be done to a memory region, or through a queue pair ({@code ibv_access_flags}); local read is implied. */
public final class AccessFlags
{
    /** Receives, reads and atomics of this process may write it. */
    public static final int LOCAL_WRITE = 1;
    /** The peer may write it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_WRITE = 1 << 1;
    /** The peer may read it. */
    public static final int REMOTE_READ = 1 << 2;
    /** The peer may do atomics on it; needs {@link #LOCAL_WRITE}. */
    public static final int REMOTE_ATOMIC = 1 << 3;

    /** Local write and everything remote. */
    public static final int ALL = LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ | REMOTE_ATOMIC;

    private AccessFlags()
    {
    }
}
